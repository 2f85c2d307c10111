import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A program on PATH.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} its path
 */
export function onPath(name, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
