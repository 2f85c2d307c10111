import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { fileError, makeFolder } from '../../base/io/files.js';
import { isAlive, readOrNull, readProcess } from '../../base/process/processes.js';

/** Who runs in a folder. `start` (clock ticks since boot) and `boot` tell a process from a later one of the same number. */
export type Holder = { pid: number; start: number; boot: string; run: string; time: string };

/**
 * Takes a suite's lock: one run at a time, for two would disturb each other's measurement.
 * @param bench the .bench folder
 * @param run the id of the run that wants it
 * @returns dead: a run that was ended from outside had it
 * @throws {UserError} code 2: another run is at work
 */
export function takeLock(bench: string, run: string): { dead: Holder | null; release: () => void } {
  const file = join(makeFolder(bench), 'lock');
  const mine = JSON.stringify(holderOf(run));
  let dead = null;
  // Twice: the first attempt may find a lock whose holder is dead.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (createWith(file, mine)) return { dead, release: () => releaseOwn(file, mine) };
    const text = readOrNull(file);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder && isHolding(holder)) throw inUse(holder);
    if (moveAway(file, text)) dead = holder;
  }
  throw inUse(parseHolder(readOrNull(file) ?? ''));
}

/**
 * Whether the run that has the lock was ended from outside.
 * @param bench the .bench folder
 */
export function hasDeadHolder(bench: string): boolean {
  const text = readOrNull(join(bench, 'lock'));
  const holder = text === null ? null : parseHolder(text);
  return holder !== null && !isHolding(holder);
}

function holderOf(run: string): Holder {
  const { pid } = process;
  return { pid, start: readProcess(pid)?.start ?? 0, boot: bootId(), run, time: new Date().toISOString() };
}

const bootId = () => (readOrNull('/proc/sys/kernel/random/boot_id') ?? '').trim();

const isHolding = ({ pid, start, boot }: Holder) => boot === bootId() && isAlive(pid, start);

/**
 * Makes the lock, with its text in it from the first moment on.
 * @returns false: there is one
 */
function createWith(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text);
    linkSync(draft, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileError(cause, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Takes a dead run's lock away. Another run may do so too, and have put its own there meanwhile: that one is put back.
 * @param text what was read
 * @returns whether it was this one that took it
 */
function moveAway(file: string, text: string): boolean {
  const aside = `${file}.${process.pid}.dead.tmp`;
  try {
    renameSync(file, aside);
    const moved = readFileSync(aside, 'utf8');
    if (moved !== text) createWith(file, moved);
    return moved === text;
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseOwn(file: string, text: string) {
  if (readOrNull(file) === text) rmSync(file, { force: true });
}

/** @returns null: not a lock of ours; half-written ones do not exist */
function parseHolder(text: string): Holder | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function inUse(holder: Holder | null) {
  const who = holder ? ` (process ${holder.pid}, since ${holder.time})` : '';
  return new UserError(`another run is at work in this folder${who}`, {
    hint: 'Two at once would disturb each other: wait until it is done, or stop it with Ctrl-C or kill.',
  });
}
