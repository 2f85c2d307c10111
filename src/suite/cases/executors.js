import { parseDuration } from './durations.js';
import { isUnfilled } from './placeholders.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {{ duration: string, target: number }} Stage
 * @typedef {TomlTable} K6Options exactly k6's options of a scenario
 *
 * @typedef {object} Load what k6's options ask for, worked out once: whoever wants to know asks this, and not k6's options
 * @property {'open' | 'closed' | 'iterations'} kind open: an iteration begins when it is due, whatever became of others; closed: each
 *   user begins one as soon as its last has ended; iterations: the same, until so many are done
 * @property {number} users the most at once
 * @property {Segment[]} segments how the load goes, one after the other; none where iterations end it
 * @property {number | null} iterations in all; null: time ends the load
 *
 * @typedef {{ from_s: number, to_s: number, from: number, to: number }} Segment a line from one level to another: of an open load,
 *   iterations per second; of a closed one, users. One without length is a jump
 *
 * @typedef {object} Executor
 * @property {string[]} required keys that it must have
 * @property {string[]} optional keys that it may have
 * @property {'rate' | 'vus'} [parameter] what of it is its load, where that is one number
 * @property {(options: K6Options) => Load} load
 */

/** @param {K6Options} options */
const mostUsers = ({ preAllocatedVUs, maxVUs = preAllocatedVUs }) => maxVUs;

/** @param {K6Options} options @returns {number} seconds */
const unitOf = ({ timeUnit = '1s' }) => parseDuration(timeUnit);

/**
 * The executors of k6 2.x (its lib/executor/*.go), and what follows from each. Their names stand here.
 * @type {Readonly<Record<string, Executor>>}
 */
export const executors = {
  'shared-iterations': {
    required: [],
    optional: ['vus', 'iterations', 'maxDuration'],
    load: ({ vus = 1, iterations = 1 }) => ({ kind: 'iterations', users: vus, segments: [], iterations }),
  },
  'per-vu-iterations': {
    required: [],
    optional: ['vus', 'iterations', 'maxDuration'],
    load: ({ vus = 1, iterations = 1 }) => ({
      kind: 'iterations',
      users: vus,
      segments: [],
      iterations: vus * iterations,
    }),
  },
  'constant-vus': {
    required: ['duration'],
    optional: ['vus'],
    parameter: 'vus',
    load: (options) => closed(level(options, options.vus ?? 1)),
  },
  'ramping-vus': {
    required: ['stages'],
    optional: ['startVUs', 'gracefulRampDown'],
    load: ({ stages, startVUs = 1 }) => closed(ramp(stages, startVUs)),
  },
  'constant-arrival-rate': {
    required: ['rate', 'duration', 'preAllocatedVUs'],
    optional: ['timeUnit', 'maxVUs'],
    parameter: 'rate',
    load: (options) => open(level(options, options.rate), options),
  },
  'ramping-arrival-rate': {
    required: ['stages', 'preAllocatedVUs'],
    optional: ['startRate', 'timeUnit', 'maxVUs'],
    load: (options) => open(ramp(options.stages, options.startRate ?? 0), options),
  },
};

/** Executors whose load is one number. */
export const constantExecutors = Object.keys(executors).filter((name) => executors[name].parameter);

/** @param {Segment[]} segments in users @returns {Load} */
const closed = (segments) => ({ kind: 'closed', users: highestOf(segments), segments, iterations: null });

/** @param {Segment[]} segments in iterations per time unit @param {K6Options} options @returns {Load} */
function open(segments, options) {
  const unit = unitOf(options);
  const perSecond = segments.map((segment) => ({ ...segment, from: segment.from / unit, to: segment.to / unit }));
  return { kind: 'open', users: mostUsers(options), segments: perSecond, iterations: null };
}

/** @param {K6Options} options @param {number} at @returns {Segment[]} */
const level = ({ duration }, at) => [{ from_s: 0, to_s: parseDuration(duration), from: at, to: at }];

/** @param {Stage[]} stages @param {number} start @returns {Segment[]} */
function ramp(stages, start) {
  let [from_s, from] = [0, start];
  return stages.map(({ duration, target }) => {
    const segment = { from_s, to_s: from_s + parseDuration(duration), from, to: target };
    [from_s, from] = [segment.to_s, target];
    return segment;
  });
}

/**
 * The highest level of a load.
 * @param {readonly Segment[]} segments
 * @returns {number} users, or iterations per second
 */
export const highestOf = (segments) => Math.max(0, ...segments.flatMap(({ from, to }) => [from, to]));

/**
 * Works out what k6's options ask for.
 * @param {K6Options} options valid ones
 * @returns {Load}
 */
export const loadOf = (options) => executors[options.executor].load(options);

/** Of a scenario that is not run yet. @type {Readonly<Load>} */
export const noLoad = Object.freeze({ kind: 'closed', users: 0, segments: [], iterations: null });

/**
 * Options for so many users; how long they last is not said.
 * @param {number} vus
 * @returns {K6Options}
 */
export const constantUsers = (vus) => ({ executor: 'constant-vus', vus });

/**
 * Options for so many iterations by all users together.
 * @param {{ vus: number, iterations: number }} options
 * @returns {K6Options}
 */
export const sharedIterations = (options) => ({ executor: 'shared-iterations', ...options });

/**
 * Options for a constant rate; how long it lasts is not said.
 * @param {{ rate: number, timeUnit: string, preAllocatedVUs: number, maxVUs?: number }} options
 * @returns {K6Options}
 */
export const constantRate = (options) => ({ executor: 'constant-arrival-rate', ...options });

/** The smallest value of each key that holds a whole number. @type {Record<string, number>} */
const wholeNumbers = { vus: 1, iterations: 1, startVUs: 0, rate: 1, startRate: 0, preAllocatedVUs: 0, maxVUs: 1 };

/** The shortest duration, in seconds, of each key that holds one. @type {Record<string, number>} */
const durations = { duration: 1, maxDuration: 1, timeUnit: 1e-9, gracefulStop: 0, gracefulRampDown: 0 };

/** Every key of a scenario that is k6's own. */
export const k6Keys = ['executor', 'stages', ...Object.keys(wholeNumbers), ...Object.keys(durations)];

/**
 * The keys that an executor takes.
 * @param {string} executor
 * @returns {string[]}
 */
export const keysOf = (executor) => [...executors[executor].required, ...executors[executor].optional, 'gracefulStop'];

/**
 * Takes k6's options out of a scenario, and refuses what k6 would refuse.
 * @param {TomlTable} scenario resolved: no placeholders
 * @param {Path} path
 * @param {Report} report
 * @returns {K6Options | null} null: not usable
 */
export function k6Options(scenario, path, report) {
  const options = Object.fromEntries(k6Keys.filter((key) => key in scenario).map((key) => [key, scenario[key]]));
  let usable = true;
  /** @type {Report} */
  const refuse = (at, message, hint, focus) => {
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

/** @param {K6Options} options */
const unfilled = (options) =>
  Object.values(options).some(isUnfilled) ||
  options.stages?.some?.((/** @type {Stage} */ stage) => Object.values(stage).some(isUnfilled));

/** @param {unknown} executor */
const executorMessage = (executor) =>
  executor === undefined ? 'the scenario has no executor' : `there is no executor ${JSON.stringify(executor)}`;

/** @param {K6Options} options @param {Path} path @param {Report} report */
function refuseKeys(options, path, report) {
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

/** @param {K6Options} options @param {Path} path @param {Report} report */
function refuseValues(options, path, report) {
  for (const [key, value] of Object.entries(options)) {
    const at = [...path, key];
    if (key in wholeNumbers) refuseNumber(key, value, wholeNumbers[key], at, report);
    if (key in durations) refuseDuration(key, value, durations[key], at, report);
  }
  if (!('stages' in options)) return;
  if (!Array.isArray(options.stages) || !options.stages.length) report([...path, 'stages'], 'there are no stages');
  else
    options.stages.forEach((/** @type {Stage} */ stage, /** @type {number} */ i) => {
      refuseNumber('target', stage.target, 0, [...path, 'stages', i, 'target'], report);
      refuseDuration('duration', stage.duration, 0, [...path, 'stages', i, 'duration'], report);
    });
}

/** @param {K6Options} options @param {Path} path @param {Report} report */
function refuseCombinations(options, path, report) {
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

/**
 * @param {string} key
 * @param {unknown} value
 * @param {number} least
 * @param {Path} path
 * @param {Report} report
 */
function refuseNumber(key, value, least, path, report) {
  if (isUnfilled(value) || (Number.isInteger(value) && Number(value) >= least)) return;
  report(path, `${key} must be a whole number${least ? ' above 0' : ', 0 or more'}, and is ${JSON.stringify(value)}`);
}

/**
 * @param {string} key
 * @param {string | number} value
 * @param {number} least seconds
 * @param {Path} path
 * @param {Report} report
 */
function refuseDuration(key, value, least, path, report) {
  try {
    if (isUnfilled(value) || parseDuration(value) >= least) return;
    report(path, least === 1 ? `${key} is ${value}: k6 wants at least 1s` : `${key} must be above 0`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(path, error.message);
  }
}

/**
 * How long a scenario lasts, without gracefulStop.
 * @param {K6Options} options
 * @returns {number | null} seconds; null: until its iterations are done
 */
export function durationOf(options) {
  if (options.duration !== undefined) return parseDuration(options.duration);
  if (!options.stages) return null;
  const seconds = options.stages.map((/** @type {Stage} */ stage) => parseDuration(stage.duration));
  return Number(seconds.reduce((/** @type {number} */ sum, /** @type {number} */ s) => sum + s, 0).toPrecision(12));
}
