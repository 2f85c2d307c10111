import { joinPath } from './join-path.js';

/**
 * Routers that are mounted under a path of another, in the same file or from another one.
 * @typedef {{ file: string, name: string | null }} Router a variable of a file; name: null: whatever the file has
 * @typedef {{ from: Router, to: Router, path: string, replaces?: boolean }} Mount replaces: what the router itself would put in front
 */

/** Whoever mounts in circles, or deeper than anybody reads, is left at that. */
const deepest = 6;

/**
 * Under which path a router's routes are.
 * @param {Router} router
 * @param {readonly Mount[]} mounts
 * @param {(router: Router) => string} [ownOf] what the router itself puts in front
 * @returns {string}
 */
export function pathOf(router, mounts, ownOf = () => '', depth = 0) {
  const mount = mounts.find(({ to }) => to.file === router.file && (to.name ?? router.name) === router.name);
  const own = mount?.replaces ? '' : ownOf(router);
  if (mount === undefined || depth > deepest) return own;
  const isItself = mount.from.file === router.file && mount.from.name === router.name;
  return joinPath(isItself ? '' : pathOf(mount.from, mounts, ownOf, depth + 1), mount.path, own);
}
