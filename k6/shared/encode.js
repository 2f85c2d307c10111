/**
 * A value in a path. One that begins with "/" or "http(s)://" is an address already (a row of a recorded log, a
 * captured Location) and stays as it is. Any other is a name: its slashes still part it, as in "@scope/name" or
 * "2024/05/a.tgz", and what would end a path is encoded.
 * @param {any} value
 * @returns {string}
 */
export function encodePath(value) {
  const text = String(value);
  if (/^(\/|https?:\/\/)/.test(text)) return text;
  return encodeURI(text).replace(/[?#]/g, encodeURIComponent);
}

/**
 * A key or value of a form: as in a query, but a space is "+".
 * @param {any} value
 * @returns {string}
 */
export const encodeForm = (value) => encodeURIComponent(value).replace(/%20/g, '+');
