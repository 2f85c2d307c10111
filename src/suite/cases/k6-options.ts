import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { executors, highestOf, type K6Options, keysOf, loadOf, type Stage } from './executors.js';
import { isUnfilled } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** The smallest value of each key that holds a whole number. */
const wholeNumbers: Record<string, number> = {
  vus: 1,
  iterations: 1,
  startVUs: 0,
  rate: 1,
  startRate: 0,
  preAllocatedVUs: 0,
  maxVUs: 1,
};

/** The shortest duration, in seconds, of each key that holds one. */
const durations: Record<string, number> = {
  duration: 1,
  maxDuration: 1,
  timeUnit: 1e-9,
  gracefulStop: 0,
  gracefulRampDown: 0,
};

/** Every key of a scenario that is k6's own. */
export const k6Keys = ['executor', 'stages', ...Object.keys(wholeNumbers), ...Object.keys(durations)];

/**
 * Takes k6's options out of a scenario, and refuses what k6 would refuse.
 * @param scenario resolved: no placeholders
 * @returns null: not usable
 */
export function k6Options(scenario: TomlTable, path: Path, report: Report): K6Options | null {
  const options = Object.fromEntries(k6Keys.filter((key) => key in scenario).map((key) => [key, scenario[key]]));
  let usable = true;
  const refuse: Report = (at, message, hint, focus) => {
    usable = false;
    report(at, message, hint, focus);
  };
  if (!Object.hasOwn(executors, options.executor)) {
    const at = 'executor' in options ? [...path, 'executor'] : path;
    refuse(at, executorMessage(options.executor), { got: options.executor, known: Object.keys(executors) });
    return null;
  }
  refuseKeys(options, path, refuse);
  refuseValues(options, path, refuse);
  usable &&= !unfilled(options);
  if (usable) refuseCombinations(options, path, refuse);
  return usable ? options : null;
}

const unfilled = (options: K6Options) =>
  Object.values(options).some(isUnfilled) ||
  options.stages?.some?.((stage: Stage) => Object.values(stage).some(isUnfilled));

const executorMessage = (executor: unknown) =>
  executor === undefined ? 'the scenario has no executor' : `there is no executor ${JSON.stringify(executor)}`;

function refuseKeys(options: K6Options, path: Path, report: Report) {
  const { executor } = options;
  const allowed = keysOf(executor);
  for (const key of Object.keys(options)) {
    if (key === 'executor' || allowed.includes(key)) continue;
    const others = Object.keys(executors).filter((name) => keysOf(name).includes(key));
    report(
      [...path, key],
      `the executor ${executor} does not take "${key}"`,
      `It takes ${allowed.join(', ')}; "${key}" belongs to ${others.join(', ')}.`,
      'key',
    );
  }
  for (const key of executors[executor].required) {
    if (!(key in options)) report([...path, 'executor'], `the executor ${executor} needs "${key}"`);
  }
}

function refuseValues(options: K6Options, path: Path, report: Report) {
  for (const [key, value] of Object.entries(options)) {
    const at = [...path, key];
    if (key in wholeNumbers) refuseNumber(key, value, wholeNumbers[key], at, report);
    if (key in durations) refuseDuration(key, value, durations[key], at, report);
  }
  if (!('stages' in options)) return;
  if (!Array.isArray(options.stages) || !options.stages.length) report([...path, 'stages'], 'there are no stages');
  else
    options.stages.forEach((stage: Stage, i: number) => {
      refuseNumber('target', stage.target, 0, [...path, 'stages', i, 'target'], report);
      refuseDuration('duration', stage.duration, 0, [...path, 'stages', i, 'duration'], report);
    });
}

function refuseCombinations(options: K6Options, path: Path, report: Report) {
  const { vus = 1, iterations = 1, preAllocatedVUs, maxVUs } = options;
  const load = loadOf(options);
  if (load.kind === 'iterations' && Number(load.iterations) < vus) {
    const key = 'vus' in options ? 'vus' : 'executor';
    report(
      [...path, key],
      `${vus} users share ${iterations} iterations: some would have none`,
      'k6 wants at least as many iterations as users.',
    );
  }
  if (maxVUs !== undefined && maxVUs < preAllocatedVUs) {
    report([...path, 'maxVUs'], `maxVUs = ${maxVUs} is less than preAllocatedVUs = ${preAllocatedVUs}`);
  }
  if (options.stages && highestOf(load.segments) === 0) {
    report([...path, 'stages'], `no stage ever has a ${load.kind === 'open' ? 'rate' : 'user'}`);
  }
}

function refuseNumber(key: string, value: unknown, least: number, path: Path, report: Report) {
  if (isUnfilled(value) || (Number.isInteger(value) && Number(value) >= least)) return;
  report(path, `${key} must be a whole number${least ? ' above 0' : ', 0 or more'}, and is ${JSON.stringify(value)}`);
}

/** @param least seconds */
function refuseDuration(key: string, value: string | number, least: number, path: Path, report: Report) {
  try {
    if (isUnfilled(value) || parseDuration(value) >= least) return;
    report(path, least === 1 ? `${key} is ${value}: k6 wants at least 1s` : `${key} must be above 0`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(path, error.message);
  }
}
