import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes what k6 starts with in place of a script whose iterations go to both sides of a duet: k6 has one setup and one
 * teardown a process, and each side needs its own.
 * @param script absolute
 * @param folder for the file
 * @returns its path
 */
export function writeDuetEntry(script: string, folder: string): string {
  const file = join(folder, 'duet-entry.js');
  writeFileSync(
    file,
    `// Written for one k6 process of a duet, which runs both sides: setup and teardown run once for each.
import * as script from ${JSON.stringify(pathToFileURL(script).href)};

const sides = globalThis.benchfolioSides;
export const { options, handleSummary } = script;
export default script.default;
export const setup = () => sides.eachInTurn('setup', () => script.setup?.());
export const teardown = (data) => sides.eachInTurn('teardown', (side) => script.teardown?.(data?.[side]));
`,
  );
  return file;
}
