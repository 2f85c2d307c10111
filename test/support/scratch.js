import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @type {string[]} */
const folders = [];
// maxRetries: of a test that failed something may still be writing.
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * A new folder outside the repository, gone when the test's process ends.
 * @param {string} [what] a word for its name
 * @returns {string} its path
 */
export function scratchFolder(what = '') {
  const folder = mkdtempSync(join(tmpdir(), `benchfolio-${what && `${what}-`}`));
  folders.push(folder);
  return folder;
}
