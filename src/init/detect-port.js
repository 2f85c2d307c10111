import { join, relative } from 'node:path';
import { textOf } from './read.js';

/**
 * Where a service listens: on the port that a variable of its environment says, or on one that stands in its source.
 * @typedef {{ variable: string } | { fixed: number }} Port
 * @typedef {{ port: Port, file: string }} DetectedPort
 */

/** A variable of the environment that is a port's, in Node.js, Deno, Bun, Go and Python. */
const variables = [
  /\b(?:process|Bun)\.env(?:\.|\[['"])([A-Z][A-Z0-9_]*)\b/g,
  /\{[^{}]*?\b(PORT)\b[^{}]*\}\s*=\s*process\.env\b/g,
  /\bDeno\.env\.get\(\s*['"]([A-Z][A-Z0-9_]*)['"]/g,
  /\bos\.(?:Getenv|LookupEnv)\(\s*"([A-Z][A-Z0-9_]*)"/g,
  /\bos\.(?:environ(?:\.get)?|getenv)\s*[([]\s*['"]([A-Z][A-Z0-9_]*)['"]/g,
];

/** A port as a number. */
const numbers = [
  /\.listen\(\s*(\d{2,5})\b/,
  /\b(?:listen|serve)\(\s*\{[^{}]*\bport:\s*(\d{2,5})\b/,
  /\bListenAndServe(?:TLS)?\(\s*"[^":]*:(\d{2,5})"/,
  /\.Run\(\s*"[^":]*:(\d{2,5})"/,
  /\brun\([^()]*\bport\s*=\s*(\d{2,5})\b/,
  /\b(?:const|let|var|final|int)?\s*port\s*(?::=|=|:)\s*"?:?(\d{2,5})\b/i,
];

/** Comments are no code: what stands in them is not so. */
const withoutComments = (/** @type {string} */ text) =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|#).*$|\s\/\/ .*$/gm, '');

/**
 * @param {string} source
 * @returns {Port | null}
 */
function portIn(source) {
  const text = withoutComments(source);
  const names = variables
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name))
    .filter((name) => /(^|_)PORT$/.test(name));
  const variable =
    names.find((name) => name === 'PORT') ?? names.find((name) => /HTTP|SERVER|APP|WEB|LISTEN|API/.test(name));
  if (variable) return { variable };
  const fixed = numbers.map((pattern) => Number(pattern.exec(text)?.[1])).find((port) => port > 0 && port < 65536);
  return fixed ? { fixed } : null;
}

/**
 * The first port in these sources: one that is listened on overrides one that is only named.
 * @param {string[]} files
 * @param {string} folder that the file is named from
 * @returns {DetectedPort | null}
 */
export function portOf(files, folder) {
  const texts = files.map((file) => ({ file: relative(folder, file), text: textOf(file) ?? '' }));
  return (
    [...texts.filter(({ text }) => listens(text)), ...texts]
      .flatMap(({ file, text }) => ({ file, port: portIn(text) ?? [] }))
      .flatMap(({ file, port }) => (Array.isArray(port) ? [] : [{ file, port }]))[0] ?? null
  );
}

/** @param {string} text of a source */
export const listens = (text) =>
  /\.listen\(|\bcreateServer\(|\b(?:Deno|Bun)\.serve\(|\bListenAndServe|\bserve\(|HTTPServer\(|\bapp\.run\(|\.Run\(\s*"|\buvicorn\.run\(/.test(
    text,
  );

/** Paths that answer to GET, in Express, Fastify, Hono, Koa, net/http, chi, gin, FastAPI and Flask. */
const routes = [
  /\.get\(\s*['"`](\/[^'"`]*)['"`]/gi,
  /\bHandle(?:Func)?\(\s*"(?:GET )?(\/[^"]*)"/g,
  /@\w+\.route\(\s*['"](\/[^'"]*)['"]/g,
  /\.(?:url|path)\s*===?\s*['"](\/[^'"]*)['"]/g,
];

/** The last part of a path that says only whether a service is well. */
const healthName = /\/(?:_?health\w*|_?ready\w*|_?live\w*|ping|status|up)$/i;

/**
 * The paths that sources answer to.
 * @param {string[]} files
 * @returns {{ path: string, health: string | null, others: string[], metrics: string | null }} path: to load; "/" where that
 *   is one of them, or none can be seen, and that of a health check only where there is no other; health: that says whether
 *   it is ready; others: with parameters, which nobody can fill in here; metrics: in the format of Prometheus
 */
export function pathsOf(files) {
  const texts = files.map((file) => withoutComments(textOf(file) ?? ''));
  const found = texts.flatMap((text) =>
    routes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path)),
  );
  const fixed = found.filter((path) => /^\/[\w./-]*$/.test(path));
  const health = fixed.find((path) => healthName.test(path)) ?? null;
  const metrics = fixed.find((path) => path === '/metrics') ?? null;
  const others = [...new Set(found.filter((path) => !fixed.includes(path)))];
  const loaded = fixed.filter((path) => path !== metrics && !healthName.test(path));
  return { path: loaded.includes('/') ? '/' : (loaded[0] ?? health ?? '/'), health, others, metrics };
}

/**
 * The port that an image of the service exposes: a hint, where nothing else says one.
 * @param {string} folder
 * @returns {number | null}
 */
export function exposedPort(folder) {
  const port = Number(/^\s*EXPOSE\s+(\d{2,5})\b/im.exec(textOf(join(folder, 'Dockerfile')) ?? '')?.[1]);
  return port > 0 && port < 65536 ? port : null;
}
