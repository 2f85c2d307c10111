import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runMarker } from '../process/guard.js';
import { killOurs, namesIn } from '../process/processes.js';
import { storagesIn } from '../services/prometheus/storage.js';

/**
 * So many runs keep their raw files; older ones are deleted when a new one starts. Records that matter are kept
 * elsewhere: `benchfolio keep`.
 */
const runsKept = 20;

/**
 * Ends what a run left behind that was itself ended from outside: its processes, and files that it had only begun.
 * @param {string} bench the .bench folder
 * @param {string} run its id
 * @returns {string[]} what was ended, for people
 */
export function endLeftovers(bench, run) {
  const folder = join(bench, 'runs', run);
  const killed = killOurs({ marker: `${runMarker}=${run}`, writesTo: `${folder}/` });
  const drafts = [...filesIn(bench), ...filesIn(folder, true)].filter((file) => file.endsWith('.tmp'));
  for (const file of drafts) rmSync(file, { force: true });
  const storages = storagesIn(join(folder, '.scratch'));
  for (const storage of storages) rmSync(storage, { recursive: true, force: true });
  return [
    ...killed.map(({ pid, name }) => `killed process ${pid} (${name})`),
    ...[...drafts, ...storages].map((file) => `deleted ${file}`),
  ];
}

/**
 * Deletes the raw files of old runs.
 * @param {string} bench the .bench folder
 * @param {number} [kept] how many to keep
 */
export function deleteOldRuns(bench, kept = runsKept) {
  const folder = join(bench, 'runs');
  // Names start with the time in UTC: the order of names is that of time.
  const runs = namesIn(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .sort();
  const old = runs.slice(0, Math.max(0, runs.length - kept));
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * @param {string} folder may be missing
 * @param {boolean} [recursive]
 * @returns {string[]}
 */
function filesIn(folder, recursive = false) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
