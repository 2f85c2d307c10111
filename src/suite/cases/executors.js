import { parseDuration } from './durations.js';

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
 * The executors of k6 2.x (its lib/executor/*.go), and what follows from each.
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
    const to_s = Number((from_s + parseDuration(duration)).toPrecision(12)); // 0.1 + 0.2 of a second is 0.3
    const segment = { from_s, to_s, from, to: target };
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

/**
 * The keys that an executor takes.
 * @param {string} executor
 * @returns {string[]}
 */
export const keysOf = (executor) => [...executors[executor].required, ...executors[executor].optional, 'gracefulStop'];

/**
 * How long a load lasts, without gracefulStop.
 * @param {Load} load
 * @returns {number | null} seconds; null: until its iterations are done
 */
export const durationOf = ({ segments }) => segments.at(-1)?.to_s ?? null;
