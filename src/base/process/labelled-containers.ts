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
 * @param engine the program: docker or podman
 * @param of whose
 * @returns what was removed: "container 4f0c…"
 */
export function removeLabelled(engine: string, of: { run: string } | { start: string }): string[] {
  const [[key, value]] = Object.entries(of);
  const label = `label=${labels[key as 'run' | 'start']}=${value}`;
  return kinds.flatMap(({ kind, list, remove }) => {
    const found = listed(engine, { kind, list, label }) ?? [];
    if (found.length > 0) spawnSync(engine, [kind, 'rm', ...remove, ...found], { timeout: answer_ms });
    return found.map((id) => `${kind} ${id}`);
  });
}

/** @returns ids; null: the engine does not answer */
function listed(
  engine: string,
  { kind, list, label }: { kind: string; list: string[]; label: string },
): string[] | null {
  const args = [kind, 'ls', '--quiet', ...list, '--filter', label];
  const { status, stdout } = spawnSync(engine, args, { encoding: 'utf8', timeout: answer_ms });
  return status === 0 ? stdout.split('\n').filter(Boolean) : null;
}

/**
 * Is nothing of a run left? An engine that does not answer has not said so.
 * @param run its id
 */
const isGone = (engine: string, run: string) =>
  kinds.every(({ kind, list }) => listed(engine, { kind, list, label: `label=${labels.run}=${run}` })?.length === 0);

/**
 * Where a run says which engine it uses, for whoever cleans up after it.
 * @param folder the run's
 */
const engineFile = (folder: string) => join(folder, 'container-engine');

/** @param folder the run's */
export const noteEngine = (folder: string, engine: string) => writeFileSync(engineFile(folder), engine);

/**
 * Removes the containers of a run that has ended, and the note that it has any.
 * @param folder the run's
 * @param run its id
 * @returns what was removed
 */
export function removeOfEnded(folder: string, run: string): string[] {
  const engine = engineOf(folder);
  if (engine === null) return [];
  const removed = removeLabelled(engine, { run });
  if (isGone(engine, run)) rmSync(engineFile(folder), { force: true });
  return removed;
}

/** Milliseconds after which an engine has made what it was asked for when the runner was killed. */
const settled_ms = 2000;

/**
 * The same, as soon as a runner has ended: containers that its engine is still making are removed too.
 * @param folder the run's
 * @param run its id
 */
export async function removeAfter(folder: string, run: string) {
  const engine = engineOf(folder);
  if (engine === null) return;
  removeLabelled(engine, { run });
  await sleep(settled_ms);
  removeOfEnded(folder, run);
}

/** @returns null: the run has no containers */
function engineOf(folder: string): string | null {
  try {
    return readFileSync(engineFile(folder), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
