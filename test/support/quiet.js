// Suites of which nothing depends on how busy this machine is, but for what is about a busy machine: a command in a process of its own
// reduces them as if other programs never kept k6 from its work. Of disturbed rounds: test/measure/disturbed-rounds.test.js.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @type {Set<string>} */
const quiet = new Set();

/** @param {string} folder of a suite */
export const makeQuiet = (folder) => {
  quiet.add(folder);
};

/** @param {string} cwd @returns {string[]} arguments of Node.js for a command that is run there */
export const quietArguments = (cwd) =>
  [...quiet].some((folder) => cwd === folder || cwd.startsWith(join(folder, '/')))
    ? ['--import', fileURLToPath(new URL('keeping-up.js', import.meta.url))]
    : [];
