import { textOf, withoutComments } from './read-repository.js';
import { aspNetHealth, aspNetRoutes } from './routes/aspnet.js';
import { goRoutes, type Route, type Source, toGet } from './routes/common.js';
import { djangoRoutes } from './routes/django.js';
import { javascriptRoutes } from './routes/javascript.js';
import { pythonRoutes } from './routes/python.js';
import { railsRoutes } from './routes/rails.js';
import { rustRoutes } from './routes/rust.js';
import { springRoutes } from './routes/spring.js';

/** What is there and not loaded: "POST /orders", and why */
export type LeftRoute = { route: string; reason: string };

/**
 * path: to load; "/" where that is one of them, or none can be seen, and that of a health check only where there is no other;
 * health: that says whether it is ready; metrics: in the format of Prometheus; more: that could be loaded too; left:
 * those that cannot be as they are
 */
type SeenPaths = { path: string; health: string | null; metrics: string | null; more: string[]; left: LeftRoute[] };

/** @param read of those that see what answers to GET */
const ofGet =
  (read: (sources: Source[]) => string[]): ((sources: Source[]) => Route[]) =>
  (sources) =>
    read(sources).map(toGet);

/** Whose files are read by whom. */
const readers: [RegExp, (sources: Source[]) => Route[]][] = [
  [/\.[cm]?[jt]s$/, javascriptRoutes],
  [/\.go$/, goRoutes],
  [/\.py$/, pythonRoutes],
  [/\.(?:java|kt)$/, ofGet(springRoutes)],
  [/\.cs$/, ofGet(aspNetRoutes)],
  [/\.rs$/, rustRoutes],
  [/\.rb$/, ofGet(railsRoutes)],
  [/[\\/]urls\.py$/, ofGet(djangoRoutes)],
];

/** The last part of a path that says only whether a service is well. */
const healthName = /\/(?:_?health\w*|_?ready\w*|_?live\w*|ping|status|up)\/?$/i;

export const isHealth = (path: string) => healthName.test(path);

/** In the format of Prometheus. */
export const isMetrics = (path: string) => path === '/metrics' || path === '/actuator/prometheus';

/** The paths that sources answer to. */
export function pathsOf(files: string[]): SeenPaths {
  const sources = files.map((file) => ({ file, text: withoutComments(textOf(file) ?? '') }));
  const routes = readers.flatMap(([ends, read]) => read(sources.filter(({ file }) => ends.test(file))));
  const found = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const named = aspNetHealth(sources);
  const healthy = (path: string) => isHealth(path) || named.includes(path);
  const fixed = [...found, ...named].filter((path) => /^\/[\w./-]*$/.test(path));
  const health = fixed.find(healthy) ?? null;
  const metrics = fixed.find(isMetrics) ?? null;
  const loaded = fixed.filter((path) => !isMetrics(path) && !healthy(path));
  const path = loaded.includes('/') ? '/' : (loaded[0] ?? health ?? '/');
  return {
    path,
    health,
    metrics,
    more: [...new Set(loaded)].filter((other) => other !== path),
    left: [
      ...becauseOf(
        'it has a parameter, whose values only you know',
        found.filter((route) => !fixed.includes(route)).map((route) => `GET ${route}`),
      ),
      ...becauseOf(
        'it may change data',
        routes.filter(({ method }) => method !== 'GET').map((route) => `${route.method} ${route.path}`),
      ),
    ],
  };
}

/** @returns each once */
export const becauseOf = (reason: string, routes: string[]): LeftRoute[] =>
  [...new Set(routes)].map((route) => ({ route, reason }));
