// A module of reports/ that shadows ours in a test's suite: other programs never kept k6 from its work. So nothing that is
// not about a busy machine depends on how busy this one is. Of disturbed rounds: test/measure/disturbed-rounds.test.js.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the module is, in a suite. */
export const keepingUp = 'reports/lib/reduce/keeping_up.jq';

const quiet = `
def others: empty;
def behind: false;
def fits_alone: true;
def others_to_blame: false;
def had_room: true;
def how: "";
def limit: "";
`;

/**
 * Writes the module into a suite that has none of its own.
 * @param {string} folder of the suite
 */
export function makeQuiet(folder) {
  const file = join(folder, keepingUp);
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, quiet);
}
