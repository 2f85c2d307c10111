import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The labels of all that a run makes in a container engine: containers, networks and volumes. */
export const labels = { run: 'benchfolio.run', start: 'benchfolio.start' };

/** Milliseconds that an engine may take for one answer while things are removed. */
const answer_ms = 60_000;

/** In this order: a network or a volume that a container uses cannot be removed. */
const kinds = [
  { kind: 'container', list: ['--all'], remove: ['--force', '--volumes'] },
  { kind: 'network', list: [], remove: [] },
  { kind: 'volume', list: [], remove: ['--force'] },
];

/**
 * Removes what carries a label, and what an engine was still making when it was asked.
 * @param {string} engine the program: docker or podman
 * @param {{ run: string } | { start: string }} of whose
 * @returns {string[]} what was removed: "container 4f0c…"
 */
export function removeLabelled(engine, of) {
  const [[key, value]] = Object.entries(of);
  const label = `label=${labels[/** @type {'run' | 'start'} */ (key)]}=${value}`;
  return kinds.flatMap(({ kind, list, remove }) => {
    const found = listed(engine, { kind, list, label }) ?? [];
    if (found.length > 0) spawnSync(engine, [kind, 'rm', ...remove, ...found], { timeout: answer_ms });
    return found.map((id) => `${kind} ${id}`);
  });
}

/**
 * @param {string} engine
 * @param {{ kind: string, list: string[], label: string }} what
 * @returns {string[] | null} ids; null: the engine does not answer
 */
function listed(engine, { kind, list, label }) {
  const args = [kind, 'ls', '--quiet', ...list, '--filter', label];
  const { status, stdout } = spawnSync(engine, args, { encoding: 'utf8', timeout: answer_ms });
  return status === 0 ? stdout.split('\n').filter(Boolean) : null;
}

/** Is nothing of a run left? An engine that does not answer has not said so. @param {string} engine @param {string} run its id */
const isGone = (engine, run) =>
  kinds.every(({ kind, list }) => listed(engine, { kind, list, label: `label=${labels.run}=${run}` })?.length === 0);

/** Where a run says which engine it uses, for whoever cleans up after it. @param {string} folder the run's */
const engineFile = (folder) => join(folder, 'container-engine');

/** @param {string} folder the run's @param {string} engine */
export const noteEngine = (folder, engine) => writeFileSync(engineFile(folder), engine);

/**
 * Removes the containers of a run that has ended, and the note that it has any.
 * @param {string} folder the run's
 * @param {string} run its id
 * @returns {string[]} what was removed
 */
export function removeOfEnded(folder, run) {
  const engine = engineOf(folder);
  if (engine === null) return [];
  const removed = removeLabelled(engine, { run });
  if (isGone(engine, run)) rmSync(engineFile(folder), { force: true });
  return removed;
}

/** Milliseconds after which an engine has made what it was asked for when the runner was killed. */
const settled_ms = 2000;

/**
 * The same, as soon as a runner has ended: what its engine is still making is removed too.
 * @param {string} folder the run's
 * @param {string} run its id
 */
export async function removeAfter(folder, run) {
  const engine = engineOf(folder);
  if (engine === null) return;
  removeLabelled(engine, { run });
  await sleep(settled_ms);
  removeOfEnded(folder, run);
}

/** @param {string} folder @returns {string | null} null: the run has no containers */
function engineOf(folder) {
  try {
    return readFileSync(engineFile(folder), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
