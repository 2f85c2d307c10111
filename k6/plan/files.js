import { refuse } from '../shared/refuse.js';

// k6's own; the DOM's types have another function of that name
const openInK6 = /** @type {(path: string, mode?: 'b') => any} */ (/** @type {unknown} */ (open));

/**
 * Reads a file, in k6's init stage. A relative path is taken from the working folder, as people mean it, and then from
 * the script's folder, as k6 means it.
 * @param {string} path
 * @param {{ what: string, binary?: boolean }} options what: names the file in the error
 * @returns {{ content: any, path: string }} a string, or an ArrayBuffer if binary; and the path that worked
 */
export function readFile(path, { what, binary = false }) {
  const places = path.startsWith('/') || !__ENV.PWD ? [path] : [`${__ENV.PWD}/${path}`, path];
  let reason = '';
  for (const location of places) {
    try {
      return { content: binary ? openInK6(location, 'b') : openInK6(location), path: location };
    } catch (error) {
      reason = reason || String(/** @type {any} */ (error).message ?? error);
    }
  }
  return refuse(`cannot open ${what} ${path}: ${reason.replace(/^GoError: /, '')}`);
}

/**
 * The folder of a file.
 * @param {string} path
 * @returns {string}
 */
export const folderOf = (path) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.');

/**
 * A path in a spec is relative to the spec's folder.
 * @param {string} folder
 * @param {string} path
 * @returns {string}
 */
export const within = (folder, path) => (path.startsWith('/') ? path : `${folder}/${path}`);
