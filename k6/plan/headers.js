/**
 * The headers of a request, with the type of its body unless it sets one.
 * @param {Record<string, any>} headers as in the spec
 * @param {string | null} type
 * @returns {Record<string, string>}
 */
export function planHeaders(headers, type) {
  const planned = Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerName(name), String(value)]));
  return type === null || 'Content-Type' in planned ? planned : { ...planned, 'Content-Type': type };
}

/**
 * The name by which Go, and so k6, keeps a header: each word begins with a capital letter.
 * @param {string} name content-type
 * @returns {string} Content-Type
 */
export const headerName = (name) => name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
