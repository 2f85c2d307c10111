import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { runMarker } from '../../base/process/guard.js';
import { removeOfEnded } from '../../base/process/labelled-containers.js';
import { killOurs } from '../../base/process/processes.js';
import { runIds } from '../../records/runs.js';
import { removeFromClusters } from '../cluster/cluster-leftovers.js';
import { storagesIn } from '../services/prometheus/storage.js';
import { type Holder, hasDeadHolder, takeLock } from './lock.js';

/**
 * So many runs keep their raw files; older ones are deleted when a new one starts. Records that matter are kept
 * elsewhere: `benchfolio keep`.
 */
const runsKept = 20;

/** `${run.dir}`: services' own files, beside the systems' folders; a name that no system has. */
export const scratch = '.scratch';

/**
 * Ends what a run left behind that was ended from outside, its watchdog with it: any command does so that comes after.
 * @param bench the .bench folder
 * @param env by which clusters are reached
 */
export function endDeadRun(bench: string, say: (text: string) => void, env: NodeJS.ProcessEnv) {
  if (!hasDeadHolder(bench)) return;
  const lock = lockOrNull(bench); // a run that begins meanwhile would not tell its files from these
  if (lock === null) return;
  try {
    reportDead(bench, lock.dead, say, env);
  } finally {
    lock.release();
  }
}

/** @returns null: another process was faster, or may not write here */
function lockOrNull(bench: string): ReturnType<typeof takeLock> | null {
  try {
    return takeLock(bench, 'leftovers');
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}

/**
 * Ends what the dead holder of a lock left behind, and says so.
 * @param bench the .bench folder
 * @param dead null: there was none
 * @param env by which clusters are reached
 */
export function reportDead(bench: string, dead: Holder | null, say: (text: string) => void, env: NodeJS.ProcessEnv) {
  if (!dead) return;
  say(`the run ${dead.run} was ended from outside`);
  for (const what of endLeftovers(bench, dead.run, env)) say(`  ${what}`);
}

/**
 * Ends what a run left behind that was itself ended from outside: its processes, containers, pods of a cluster, and files that
 * it had only begun.
 * @param bench the .bench folder
 * @param run its id
 * @returns what was ended, for people
 */
function endLeftovers(bench: string, run: string, env: NodeJS.ProcessEnv): string[] {
  const folder = join(bench, 'runs', run);
  const killed = killOurs({ marker: `${runMarker}=${run}`, writesTo: `${folder}/` });
  const removed = removeOfEnded(folder, run);
  const clusters = removeFromClusters(folder, { run, bench, env });
  const drafts = [...filesIn(bench), ...filesIn(folder, true)].filter((file) => file.endsWith('.tmp'));
  for (const file of drafts) rmSync(file, { force: true });
  const storages = storagesIn(join(folder, scratch));
  for (const storage of storages) removeTree(storage);
  return [
    ...killed.map(({ pid, name }) => `killed process ${pid} (${name})`),
    ...removed.map((what) => `removed ${what}`),
    ...clusters,
    ...[...drafts, ...storages].map((file) => `deleted ${file}`),
  ];
}

/**
 * Finds the runs whose raw files are not kept any more.
 * @param bench the .bench folder
 * @param kept how many are
 * @returns their folders
 */
export function oldRuns(bench: string, kept: number = runsKept): string[] {
  const ids = runIds(bench);
  return ids.slice(0, Math.max(0, ids.length - kept)).map((id) => join(bench, 'runs', id));
}

/**
 * Deletes the raw files of old runs; what is another user's stays, and stops no run that begins.
 * @param bench the .bench folder
 * @param kept how many to keep
 */
export function deleteOldRuns(bench: string, kept?: number) {
  for (const folder of oldRuns(bench, kept)) removeTree(folder);
}

/**
 * Deletes what services of ended runs wrote for themselves: databases are large. It was kept where a case failed, and is for
 * the last of these runs.
 * @param bench the .bench folder, whose lock is held: the only run that has not ended begins now
 */
export function deleteOldScratch(bench: string) {
  const folders = runIds(bench).map((id) => join(bench, 'runs', id, scratch));
  for (const folder of folders.filter(existsSync).slice(0, -1)) removeTree(folder);
}

/** @param folder may be missing */
function filesIn(folder: string, recursive: boolean = false): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
