import { textOf, withoutComments } from './read.js';
import { aspNetHealth, aspNetRoutes } from './routes/aspnet.js';
import { commonRoutes } from './routes/common.js';
import { djangoRoutes } from './routes/django.js';
import { railsRoutes } from './routes/rails.js';
import { rustRoutes } from './routes/rust.js';
import { springRoutes } from './routes/spring.js';

/** @import { Source } from './routes/common.js' */

/** Whose files are read by whom. @type {[RegExp, (sources: Source[]) => string[]][]} */
const readers = [
  [/\.(?:[cm]?[jt]s|go|py)$/, commonRoutes],
  [/\.(?:java|kt)$/, springRoutes],
  [/\.cs$/, aspNetRoutes],
  [/\.rs$/, rustRoutes],
  [/\.rb$/, railsRoutes],
  [/[\\/]urls\.py$/, djangoRoutes],
];

/** The last part of a path that says only whether a service is well. */
const healthName = /\/(?:_?health\w*|_?ready\w*|_?live\w*|ping|status|up)\/?$/i;

/** @param {string} path */
export const isHealth = (path) => healthName.test(path);

/** In the format of Prometheus. @param {string} path */
export const isMetrics = (path) => path === '/metrics' || path === '/actuator/prometheus';

/**
 * The paths that sources answer to.
 * @param {string[]} files
 * @returns {{ path: string, health: string | null, others: string[], metrics: string | null }} path: to load; "/" where that
 *   is one of them, or none can be seen, and that of a health check only where there is no other; health: that says whether
 *   it is ready; others: with parameters, which nobody can fill in here; metrics: in the format of Prometheus
 */
export function pathsOf(files) {
  const sources = files.map((file) => ({ file, text: withoutComments(textOf(file) ?? '') }));
  const found = readers.flatMap(([ends, read]) => read(sources.filter(({ file }) => ends.test(file))));
  const named = aspNetHealth(sources);
  const healthy = (/** @type {string} */ path) => isHealth(path) || named.includes(path);
  const fixed = [...found, ...named].filter((path) => /^\/[\w./-]*$/.test(path));
  const health = fixed.find(healthy) ?? null;
  const metrics = fixed.find(isMetrics) ?? null;
  const others = [...new Set(found.filter((path) => !fixed.includes(path)))];
  const loaded = fixed.filter((path) => !isMetrics(path) && !healthy(path));
  return { path: loaded.includes('/') ? '/' : (loaded[0] ?? health ?? '/'), health, others, metrics };
}
