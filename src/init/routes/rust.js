import { joinPath } from './join-path.js';

/** @import { Source } from './common.js' */

/** axum, and actix-web with its builders. */
const built = [
  /\.route\(\s*"(\/[^"]*)"\s*,\s*(?:\w+::)*get(?:_service)?\s*\(/g,
  /\bweb::resource\(\s*"(\/[^"]*)"\s*\)\s*\.route\(\s*web::get\b/g,
];

/** actix-web's and Rocket's attribute of a function. */
const attribute =
  /#\[get\(\s*"(\/[^"]*)"[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g;

/**
 * What answers to GET in Rust. Rocket says where its functions are mounted.
 * @param {Source[]} sources
 * @returns {string[]}
 */
export function rustRoutes(sources) {
  const mounted = sources.flatMap(({ text }) =>
    [...text.matchAll(/\.mount\(\s*"(\/[^"]*)"\s*,\s*routes!\[([^\]]*)\]/g)].flatMap(([, at, names]) =>
      names.split(',').map((name) => ({ at, name: name.trim().replace(/^.*::/, '') })),
    ),
  );
  return sources.flatMap(({ text }) => [
    ...built.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path)),
    ...[...text.matchAll(attribute)].map(([, path, name]) =>
      joinPath(mounted.find((one) => one.name === name)?.at ?? '', path),
    ),
  ]);
}
