import { parseDuration } from './durations.js';
import type { TomlTable } from './toml.js';

export type Stage = { duration: string; target: number };

/** Exactly k6's options of a scenario. */
export type K6Options = TomlTable;

/** what k6's options ask for, worked out once: whoever wants to know asks this, and not k6's options */
export type Load = {
  /**
   * open: an iteration begins when it is due, whatever became of others; closed: each user begins one as soon as its last has
   * ended; iterations: the same, until so many are done
   */
  kind: 'open' | 'closed' | 'iterations';
  /** the most at once */
  users: number;
  /** how the load goes, one after the other; none where iterations end it */
  segments: Segment[];
  /** in all; null: time ends the load */
  iterations: number | null;
};

/**
 * A line from one level to another: of an open load, iterations per second; of a closed one, users. One without length is a
 * jump.
 */
export type Segment = { from_s: number; to_s: number; from: number; to: number };

type Executor = {
  /** keys that it must have */
  required: string[];
  /** keys that it may have */
  optional: string[];
  /** the key of its load, where that is one number */
  parameter?: 'rate' | 'vus';
  load: (options: K6Options) => Load;
};

const mostUsers = ({ preAllocatedVUs, maxVUs = preAllocatedVUs }: K6Options) => maxVUs;

/** @returns seconds */
const unitOf = ({ timeUnit = '1s' }: K6Options): number => parseDuration(timeUnit);

/** The executors of k6 2.x (its lib/executor/*.go), and what follows from each. */
export const executors: Readonly<Record<string, Executor>> = {
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

/** @param segments in users */
const closed = (segments: Segment[]): Load => ({
  kind: 'closed',
  users: highestOf(segments),
  segments,
  iterations: null,
});

/** @param segments in iterations per time unit */
function open(segments: Segment[], options: K6Options): Load {
  const unit = unitOf(options);
  const perSecond = segments.map((segment) => ({ ...segment, from: segment.from / unit, to: segment.to / unit }));
  return { kind: 'open', users: mostUsers(options), segments: perSecond, iterations: null };
}

const level = ({ duration }: K6Options, at: number): Segment[] => [
  { from_s: 0, to_s: parseDuration(duration), from: at, to: at },
];

function ramp(stages: Stage[], start: number): Segment[] {
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
 * @returns users, or iterations per second
 */
export const highestOf = (segments: readonly Segment[]): number =>
  Math.max(0, ...segments.flatMap(({ from, to }) => [from, to]));

/**
 * Works out what k6's options ask for.
 * @param options valid ones
 */
export const loadOf = (options: K6Options): Load => executors[options.executor].load(options);

/** Of a scenario that is not run yet. */
export const noLoad: Readonly<Load> = Object.freeze({ kind: 'closed', users: 0, segments: [], iterations: null });

/** Options for so many users; how long they last is not said. */
export const constantUsers = (vus: number): K6Options => ({ executor: 'constant-vus', vus });

/** Options for so many iterations by all users together. */
export const sharedIterations = (options: { vus: number; iterations: number }): K6Options => ({
  executor: 'shared-iterations',
  ...options,
});

/** Options for a constant rate; how long it lasts is not said. */
export const constantRate = (options: {
  rate: number;
  timeUnit: string;
  preAllocatedVUs: number;
  maxVUs?: number;
}): K6Options => ({ executor: 'constant-arrival-rate', ...options });

/** The keys that an executor takes. */
export const keysOf = (executor: string): string[] => [
  ...executors[executor].required,
  ...executors[executor].optional,
  'gracefulStop',
];

/**
 * How long a load lasts, without gracefulStop.
 * @returns seconds; null: until its iterations are done
 */
export const durationOf = ({ segments }: Load): number | null => segments.at(-1)?.to_s ?? null;
