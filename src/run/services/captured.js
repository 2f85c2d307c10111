/** @typedef {{ text: string, headers: Headers }} Answer the body of a response, or what a command printed */

/**
 * Takes a value out of an answer.
 * @param {{ json?: string, regex?: string, header?: string, cookie?: string }} from
 * @param {Answer} answer
 * @returns {unknown} undefined: it is not there
 */
export function captured({ json, regex, header, cookie }, { text, headers }) {
  if (json !== undefined) return inJson(text, json);
  if (header !== undefined) return headers.get(header) ?? undefined;
  if (cookie !== undefined) return cookieIn(headers, cookie);
  const match = new RegExp(/** @type {string} */ (regex)).exec(text);
  return match ? (match[1] ?? match[0]) : undefined;
}

/** @param {string} text @param {string} path names and numbers, with dots between: "items.0.id"; `\\.` is a dot in a name */
function inJson(text, path) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'))) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = /** @type {Record<string, unknown>} */ (value)[name];
  }
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** @param {Headers} headers @param {string} name */
function cookieIn(headers, name) {
  const found = headers.getSetCookie().find((cookie) => cookie.split('=')[0].trim() === name);
  return found?.slice(found.indexOf('=') + 1).split(';')[0];
}
