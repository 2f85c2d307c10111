import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { UserError } from '../base/errors.js';
import { benchDir, type Suite } from '../suite/suite.js';
import { readOurs, readText } from './read-record.js';

/** What run.json says. */
type RunFile = {
  id: string;
  time: string;
  command: string;
  options?: { baseline?: string; [option: string]: unknown };
  cases: RunCase[];
};

/** dir: within the run's folder */
export type RunCase = {
  system: string;
  environment: string;
  case: string;
  dir: string;
  reason: string | null;
  status: 'measured' | 'error' | 'todo' | 'n-a' | 'interrupted';
};

/**
 * The folder of a run.
 * @param which an id, a folder, or "latest"
 * @param cwd the folder that others are relative to
 * @returns absolute
 * @throws {UserError} there is no such run
 */
export function findRun(suite: Suite, which: string = 'latest', cwd: string = suite.root): string {
  if (which === 'latest') return latestRun(suite);
  const runs = join(benchDir(suite), 'runs');
  const found = [join(runs, which), resolve(cwd, which)].find((folder) => existsSync(join(folder, 'run.json')));
  if (found) return found;
  if (isDuet(join(runs, which))) throw duetIsNoRun(which);
  throw new UserError(`there is no run "${which}"`, { hint: `Runs are in ${runs}; "latest" is the last.` });
}

/** So far two machines' clocks may be apart. */
const clocks_ms = 3600_000;

/**
 * Whether a clock was wrong: by its time, what is of the future would be the newest for good.
 * @param time ISO 8601
 */
export const isOfFuture = (time: string): boolean => Date.parse(time) > Date.now() + clocks_ms;

/** Where it is noted which run began last. */
export const startedFile = (bench: string) => join(bench, 'started');

/**
 * Lists all that was measured here, runs and duets, whatever became of it: the one order of "before" and "last". It is
 * that of their times, which are their names; but what began last was noted when it did, and a time in the future is of a
 * clock that was wrong.
 * @param bench the .bench folder
 * @returns ids, the last at the end
 */
export function runIds(bench: string): string[] {
  const folder = join(bench, 'runs');
  if (!existsSync(folder)) return [];
  const ids = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d{8}T\d{6}Z-\d+$/.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const now = nameOfTime(new Date(Date.now() + clocks_ms));
  const last = existsSync(startedFile(bench)) ? readText(startedFile(bench)).trim() : '';
  const rank = (id: string) => (id === last ? 2 : id < now ? 1 : 0);
  return ids.sort((a, b) => rank(a) - rank(b));
}

/** @returns as the id of a run begins */
export const nameOfTime = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, '');

/**
 * What was measured last, be it a run, a duet, or something that ended early.
 * @returns its id; undefined: nothing was measured
 */
export const lastMeasured = (suite: Suite): string | undefined => runIds(benchDir(suite)).at(-1);

/**
 * What was measured after the last run, and was not a run: a duet, or what ended without one.
 * @returns what: it is, for people; run: the id of the last run; null: nothing was
 */
export function measuredSince(suite: Suite): { id: string; duet: boolean; what: string; run: string | null } | null {
  const id = lastMeasured(suite);
  const file = join(benchDir(suite), 'latest');
  const run = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  if (id === undefined || id === run) return null;
  const duet = isDuet(join(benchDir(suite), 'runs', id));
  return { id, duet, run, what: duet ? whatDuetIs : 'left no run: it found nothing, ended early, or still goes on' };
}

/**
 * Says that the last run is not what was measured last.
 * @returns '' when it is
 */
export function olderRunNote(suite: Suite): string {
  const since = measuredSince(suite);
  if (since === null || since.run === null) return '';
  const how = since.duet ? `is a duet: benchfolio report ${since.id}` : since.what;
  return `The last run is ${since.run}. What was measured later, ${since.id}, ${how}\n`;
}

function latestRun(suite: Suite) {
  const file = join(benchDir(suite), 'latest');
  if (!existsSync(file)) {
    const last = lastMeasured(suite);
    if (last && isDuet(join(benchDir(suite), 'runs', last))) throw duetIsNoRun(last);
    throw new UserError('nothing has been run here yet', { hint: 'Measure first: benchfolio run --quick' });
  }
  const folder = join(benchDir(suite), 'runs', readFileSync(file, 'utf8').trim());
  if (existsSync(join(folder, 'run.json'))) return folder;
  throw new UserError(`the last run is gone: there is no ${join(folder, 'run.json')}`, {
    hint: 'Measure again: benchfolio run',
  });
}

/**
 * The outcome of a duet that was measured here.
 * @returns its file; null: nothing of that id came to its end, or it is a run
 */
export function duetFile(suite: Suite, id: string): string | null {
  const folder = join(benchDir(suite), 'runs', id);
  return /^[\w-]+$/.test(id) && isDuet(folder) ? join(folder, 'comparison.json') : null;
}

/** @param folder of .bench/runs */
const isDuet = (folder: string) => existsSync(join(folder, 'comparison.json')) && !existsSync(join(folder, 'run.json'));

const whatDuetIs = 'is a duet: its records are of two sides, and neither is a version';

const duetIsNoRun = (id: string) =>
  new UserError(`${id} ${whatDuetIs}`, {
    hint: 'Measure what can be kept: benchfolio run',
  });

/**
 * Reads what a run did.
 * @throws {UserError} run.json is not there, damaged, of another schema version, or something else
 */
export function readRun(runDir: string): RunFile {
  const file = join(runDir, 'run.json');
  const run = readOurs(file) as RunFile;
  const keys = ['system', 'environment', 'case', 'dir', 'status'];
  const isCase = (runCase: Record<string, unknown>) =>
    keys.every((key) => typeof runCase?.[key] === 'string') && isInside(String(runCase.dir));
  if (Array.isArray(run?.cases) && run.cases.every(isCase)) return run;
  throw new UserError(`${file} is not what a run writes`, { hint: 'Measure again: benchfolio run' });
}

/** @returns does it stay within the run's folder? */
const isInside = (dir: string): boolean => !isAbsolute(dir) && !dir.split(sep).includes('..');
