/**
 * A file, and its text without comments.
 * @typedef {{ file: string, text: string }} Source
 * @typedef {{ method: string, path: string }} Route what a service answers to; method: in capitals
 */

/** Methods of HTTP as routers call them. */
export const verbs = 'get|post|put|patch|delete';

/** @param {string} path @returns {Route} */
export const toGet = (path) => ({ method: 'GET', path });

/** Go: net/http, chi, gin, echo. */
const inGo = [
  new RegExp(`\\.(${verbs})\\(\\s*["\`](/[^"\`]*)["\`]`, 'gi'),
  /\bHandle(?:Func)?\(\s*"(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^"]*)"/g,
];

/** @param {Source[]} sources @returns {Route[]} */
export const goRoutes = (sources) =>
  sources.flatMap(({ text }) =>
    inGo.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, method = 'GET', path]) => ({ method: method.toUpperCase(), path })),
    ),
  );

/** A server without a framework compares what it was asked for. */
const compared = /\.(?:url|path)\s*===?\s*['"](\/[^'"]*)['"]/g;

/** @param {string} text @returns {Route[]} */
export const comparedPaths = (text) => [...text.matchAll(compared)].map(([, path]) => toGet(path));

/**
 * What stands between a bracket and the one that closes it. Brackets in texts count too: routes have few.
 * @param {string} text
 * @param {number} at where the opening bracket is
 * @returns {string} without both; to the end where none closes it
 */
export function inBrackets(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if ('([{'.includes(text[i])) depth += 1;
    else if (')]}'.includes(text[i])) depth -= 1;
    if (depth === 0) return text.slice(at + 1, i);
  }
  return text.slice(at + 1);
}
