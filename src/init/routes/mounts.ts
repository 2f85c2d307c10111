import { joinPath } from './join-path.js';

/**
 * Routers that are mounted under a path of another, in the same file or from another one.
 * a variable of a file; name: null: whatever the file has
 */
export type Router = { file: string; name: string | null };

/** replaces: what the router itself would put in front */
export type Mount = { from: Router; to: Router; path: string; replaces?: boolean };

/** Whoever mounts in circles, or deeper than anybody reads, is left at that. */
const deepest = 6;

/**
 * Under which path a router's routes are.
 * @param ownOf what the router itself puts in front
 */
export function pathOf(
  router: Router,
  mounts: readonly Mount[],
  ownOf: (router: Router) => string = () => '',
  depth = 0,
): string {
  const mount = mounts.find(({ to }) => to.file === router.file && (to.name ?? router.name) === router.name);
  const own = mount?.replaces ? '' : ownOf(router);
  if (mount === undefined || depth > deepest) return own;
  const isItself = mount.from.file === router.file && mount.from.name === router.name;
  return joinPath(isItself ? '' : pathOf(mount.from, mounts, ownOf, depth + 1), mount.path, own);
}
