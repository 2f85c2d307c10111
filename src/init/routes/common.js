/**
 * A file, and its text without comments.
 * @typedef {{ file: string, text: string }} Source
 */

/** Paths that answer to GET, in Express, Fastify, Hono, Koa, net/http, chi, gin, FastAPI and Flask. */
const routes = [
  /\.get\(\s*['"`](\/[^'"`]*)['"`]/gi,
  /\bHandle(?:Func)?\(\s*"(?:GET )?(\/[^"]*)"/g,
  /@\w+\.route\(\s*['"](\/[^'"]*)['"](?!\s*,\s*methods\s*=\s*[[(](?![^\])]*GET))/g,
  /\.(?:url|path)\s*===?\s*['"](\/[^'"]*)['"]/g,
];

/** @param {Source[]} sources @returns {string[]} */
export const commonRoutes = (sources) =>
  sources.flatMap(({ text }) => routes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path)));
