/**
 * What is compared, as it stands in a link: a version (v1.0) or a record (v1.0/alpha/single/hello,rate=1000). Such names
 * need no escape in an address. Used when the site is built and in the browser alike.
 * @typedef {{ base: string, head: string }} ComparedPair '': not chosen
 */

/**
 * @param {Partial<ComparedPair>} choice
 * @returns {string} #base=v1.0&head=v1.1; '' when nothing is chosen
 */
export function hashOf({ base = '', head = '' }) {
  const parts = [base && `base=${base}`, head && `head=${head}`].filter(Boolean);
  return parts.length ? `#${parts.join('&')}` : '';
}

/**
 * @param {string} hash of an address
 * @returns {ComparedPair | null} null: it is not about a choice, but a place in the page
 */
export function choiceIn(hash) {
  const parts = hash
    .replace(/^#/, '')
    .split('&')
    .map((part) => /^(base|head)=(.*)$/s.exec(part));
  const found = parts.filter((part) => part !== null).map(([, side, name]) => [side, decoded(name)]);
  if (!found.length && hash.length > 1) return null;
  return { base: '', head: '', ...Object.fromEntries(found) };
}

/** A "+" is one: version names have it. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
