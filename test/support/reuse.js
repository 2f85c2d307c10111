import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRun } from './situations.js';

/** Each start begins with the row, and each round adds to it. @param {string} around */
export const reusing = (around) => `
[environments.here]
url = "http://127.0.0.1:\${port.app}"
restart = "round"
${around}
[scenarios.add]
executor = "shared-iterations"
vus = 1
iterations = 20
requests = [{ get = "/seeded", expect = { status = 200 }, headers = { Authorization = "\${ready.token}" } }, { get = "/add" }]
`;

/** The logs of a service's starts that were measured. @param {string} folder @param {string} [part] of their paths @returns {Promise<string>} */
export async function startsOf(folder, part = '') {
  const place = await lastRun(folder);
  const logs = readdirSync(place, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('/app.log') && !path.includes('seeding') && path.includes(part));
  return logs.map((path) => readFileSync(join(place, path), 'utf8')).join('');
}

/** How many starts did it take to fill what the others reuse? @param {string} folder */
export const seedings = async (folder) =>
  readdirSync(await lastRun(folder), { recursive: true }).filter((path) => String(path).endsWith('seeding')).length;
