/**
 * What was posted at one time.
 * @typedef {{ head: string | null, time: string, verdict: string, text: string,
 *   problems: { case: string, what: string }[] }} EarlierResult head: a commit
 */

/**
 * What the comment of a suite and a key is found by; it is hidden.
 * @param {{ suite: string, key: string }} names suite: its folder in the repository
 * @returns {string}
 */
export const markerOf = ({ suite, key }) => `benchfolio ${encodeURIComponent(suite || '.')} ${encodeURIComponent(key)}`;

/**
 * What a comment has said, the last result first: its last line carries it.
 * @param {string} body
 * @param {string} marker
 * @returns {EarlierResult[] | null} null: it has another marker or none
 */
export function resultsIn(body, marker) {
  const last = body.trimEnd().split(/\r?\n/).at(-1) ?? '';
  const [, found, carried] = /^<!-- (benchfolio \S+ \S+) (\S*) -->$/.exec(last) ?? [];
  return found === marker ? decoded(carried) : null;
}

/** A damaged line is ours all the same; the results before are lost then. @param {string} carried */
function decoded(carried) {
  try {
    const results = JSON.parse(Buffer.from(carried, 'base64').toString('utf8'));
    return Array.isArray(results) && results.every(isResult) ? results : [];
  } catch {
    return [];
  }
}

/** @param {unknown} value @returns {value is EarlierResult} */
function isResult(value) {
  const { head, time, text, problems } = /** @type {Record<string, unknown>} */ (Object(value));
  return (
    isText(time) &&
    isText(text) &&
    (head === null || isText(head)) &&
    Array.isArray(problems) &&
    problems.every((it) => isText(it?.case) && isText(it.what))
  );
}

/** @param {unknown} value */
const isText = (value) => typeof value === 'string';
