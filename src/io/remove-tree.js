import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from './files.js';

/**
 * Removes a folder and all in it, also where somebody made parts of it read-only.
 * @param {string} path may be nowhere
 * @throws {import('../errors.js').UserError} code 4: it is somebody else's
 */
export function removeTree(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    makeWritable(path);
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (cause) {
      throw fileError(cause, path);
    }
  }
}

/** @param {string} folder */
function makeWritable(folder) {
  try {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) makeWritable(join(folder, entry.name));
    }
  } catch {
    // the removal says what is wrong
  }
}
