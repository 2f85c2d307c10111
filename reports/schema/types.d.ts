// Made of the schemas by test/reports/types.test.js.

/**
 * A file name: no slash, no space, no dot in front.
 */
export type Name = string;
export type Samples = (number | null)[];
/**
 * What went wrong on purpose, in the order of time. What begins from a second before a fault until all must be as before is measured by itself.
 */
export type Faults = Fault[];
/**
 * @maxItems 300
 */
export type Series = (number | null)[];

export interface Printed {
  BenchRecord?: BenchRecord;
  Comparison?: Comparison;
  Trial?: Trial;
}
/**
 * What is kept of one case: one scenario in one environment with one value of every swept parameter. Written once, at reports/versions/<version>/<system>/<environment>/<case>.json; at most 64 kB.
 */
export interface BenchRecord {
  /**
   * The version of this schema.
   */
  schema: 1;
  /**
   * The version it is kept as; the id of its run until then.
   */
  version: string;
  /**
   * The folder in specs/ that was measured.
   */
  system: Name;
  /**
   * Of the spec, in which it was measured.
   */
  environment: Name;
  /**
   * Of the spec: the load.
   */
  scenario: Name;
  /**
   * The scenario, and then ,key=value for each swept parameter in key order.
   */
  case: Name;
  title: string | null;
  /**
   * The values of the swept parameters.
   */
  values: {
    [k: string]: string | number | boolean;
  };
  /**
   * The profile of the spec that was merged over it, or null.
   */
  profile: string | null;
  /**
   * A hash of all that changes what is measured. Another definition starts another series.
   */
  definition: string;
  /**
   * When the run began: ISO 8601, UTC.
   */
  time: string;
  /**
   * The commit of the repository, or null outside of one.
   */
  commit: string | null;
  /**
   * Were there changes that the commit does not have? Null outside of a repository.
   */
  dirty: boolean | null;
  /**
   * The command that repeats this measurement.
   */
  command: string;
  /**
   * The seed of the order that the cases were measured in.
   */
  seed: number | null;
  fingerprint: Fingerprint;
  /**
   * Only in records of `benchfolio import`: which tool measured this, and the files that it was read from. Such a record is compared with no other than those of the same format.
   */
  imported?: {
    format: 'jmeter-jtl' | 'jmeter-statistics' | 'artillery' | 'wrk' | 'phout' | 'k6-summary';
    tool: string;
    /**
     * One for each round.
     *
     * @minItems 1
     */
    files: {
      name: string;
      sha256: string;
    }[];
  };
  /**
   * The part of the scenario that was measured, in seconds from its start; to_s is null when the scenario ends with its iterations. seconds: how long it was without what is around faults, summed over rounds.
   */
  window: {
    from_s: number;
    to_s: number | null;
    seconds: number;
  };
  /**
   * How many rounds were completed.
   */
  rounds: number;
  /**
   * By name: noun_unit_qualifier.
   */
  metrics: Metrics;
  /**
   * By the name of the request.
   */
  requests: {
    [k: string]: {
      count: number;
      /**
       * Of all requests.
       */
      share: number | null;
      /**
       * As the spec has it; null when requests are a sequence.
       */
      weight: number | null;
      metrics: Metrics;
    };
  };
  /**
   * By the name of the group: requests that are timed as one, from the first one's start to the last one's end, less the pauses between them.
   */
  groups?: {
    [k: string]: {
      count: number;
      metrics: Metrics;
    };
  };
  faults?: Faults;
  search?: Search;
  /**
   * Users told apart, all rounds added up; null where they are not. A rate is of the responses that took 50 ms or more to receive, in the time that they took.
   */
  per_user?: {
    /**
     * Their numbers.
     *
     * @maxItems 100
     */
    users: number[];
    /**
     * One for each user; null: nothing took that long.
     */
    receiving_bytes_per_second: Samples;
    requests: number[];
  } | null;
  /**
   * By the name of the service. cpu_ms_per_request is the CPU time of this service by all requests of the case.
   */
  services: {
    [k: string]: {
      metrics: Metrics;
    };
  };
  /**
   * How the spec wants this case compared with a baseline.
   */
  compare: {
    tolerance?: number;
    tolerances?: {
      [k: string]: number;
    };
    alpha?: number;
    session_sd?: number;
    gate?: string[];
  } | null;
  /**
   * What the spec expects and what was observed, over all rounds. The cap on failed requests is one of them.
   */
  thresholds: Threshold[];
  /**
   * What must be known before the numbers are believed.
   */
  findings: Finding[];
  distribution: Distribution | null;
  timeline: Timeline | null;
  /**
   * What the record is worth by itself: invalid by a finding of level error, fail by a missed threshold of level fail, else pass.
   */
  verdict: 'pass' | 'fail' | 'invalid';
}
/**
 * The machine, and the tools that matter. Records of another CPU, number of cores, memory (by more than 5 %), kind of runner or k6 major.minor are not compared.
 */
export interface Fingerprint {
  cpu_model: string;
  /**
   * Null, like memory and runner: imported, and not known.
   */
  cores: number | null;
  memory_bytes: number | null;
  runner: 'local' | 'github-hosted' | 'self-hosted' | 'ci' | null;
  os: string;
  kernel: string;
  k6: string;
  node: string;
}
export interface Metrics {
  [k: string]: Metric;
}
export interface Metric {
  /**
   * ms, 1/s, ratio (a share from 0 to 1; generator_cpu_ratio may pass 1), 1 (a number), cores (1 is one core busy all the time), bytes, bytes/s; of a metric from Prometheus what the spec says.
   */
  unit: string;
  /**
   * Which is better; null: neither.
   */
  direction: 'lower' | 'higher' | null;
  /**
   * Over all rounds; null: not known.
   */
  value: number | null;
  /**
   * The value of each round. Empty for single requests when the record would be too large otherwise.
   */
  samples: (number | null)[];
  /**
   * How many observations the value rests on; null where that makes no sense.
   */
  count: number | null;
  /**
   * Does the value count? Only then may it be shown as a result.
   */
  valid: boolean;
  /**
   * Why it does not count: the id of a finding, or a sentence.
   */
  reason: string | null;
}
export interface Fault {
  service: string;
  action: 'stop' | 'kill' | 'pause';
  /**
   * In seconds from the start of the load, as the spec has it.
   */
  at_s: number;
  for_s: number;
  /**
   * By when after its end the system had to recover.
   */
  recover_within_s: number;
  /**
   * Requests around it that failed, by round.
   */
  errors: number[];
  /**
   * From its end to the last error, by round; 0: there was none after its end; null: not known.
   */
  recovery_ms: Samples;
  /**
   * From when the service was down until it was ready again, by round; null: not known.
   */
  down_ms: Samples;
}
/**
 * Of `benchfolio find`: the highest load under which the thresholds are met; the record is of the scenario a step below the lowest load that a search found to be met.
 */
export interface Search {
  /**
   * What of the scenario was raised: its rate or its users.
   */
  parameter: 'rate' | 'vus';
  /**
   * The metric that holds what was found.
   */
  metric: string;
  unit: string;
  /**
   * How close the loads are between which a search ended, as a share.
   */
  precision: number;
  /**
   * How long each load was measured.
   */
  probe_s: number;
  confidence: number;
  /**
   * The geometric mean of the estimates.
   */
  value: number;
  /**
   * Student's interval of it, wider by half of the step that a search ends at; null: there was one search.
   */
  low: number | null;
  high: number | null;
  /**
   * Of each search at the edge: the middle between a load that was met and one that was not.
   *
   * @minItems 1
   */
  estimates: number[];
  /**
   * Every load that was tried, by load. reason: why it was not met.
   */
  curve: Probe[];
}
export interface Probe {
  load: number;
  achieved_rps: number | null;
  latency_ms_p50: number | null;
  latency_ms_p95: number | null;
  errors_ratio: number | null;
  met: boolean;
  reason: string | null;
}
export interface Threshold {
  /**
   * As the spec names it: of k6, of the services, of faults and users, or from Prometheus. errors_ratio for the cap on errors.
   */
  metric: string;
  /**
   * Tags that narrow it down.
   */
  selector: {
    [k: string]: string;
  };
  /**
   * In k6's grammar: p(95)<50.
   */
  expr: string;
  level: 'fail' | 'warn';
  /**
   * Is it the cap on errors that every scenario has?
   */
  implicit: boolean;
  observed: number | null;
  /**
   * Observations.
   */
  count: number | null;
  /**
   * unknown: there were no or too few observations to tell.
   */
  outcome: 'met' | 'missed' | 'unknown';
  /**
   * Why it is unknown.
   */
  reason: string | null;
}
export interface Finding {
  id: string;
  /**
   * error: the case is invalid.
   */
  level: 'error' | 'warn' | 'info';
  /**
   * For people.
   */
  text: string;
  /**
   * Names of the metrics that don't count because of it.
   */
  metrics: string[];
}
/**
 * Latency of all requests as a grid of quantiles; null when nothing was observed. The quantiles of one k6 process are exact; those of several are merged by their distribution functions weighted by count, observations between two quantiles taken to lie evenly. error: the most that p50, p95 or p99 can be off by that, as a share of the value (0: nothing was merged).
 */
export interface Distribution {
  metric: 'latency_ms';
  /**
   * Percent, ascending.
   *
   * @minItems 2
   * @maxItems 101
   */
  p: number[];
  /**
   * Milliseconds, one for each p.
   *
   * @minItems 2
   * @maxItems 101
   */
  values: number[];
  count: number;
  min: number;
  max: number;
  error: number;
}
/**
 * The first round, second by second, thinned to at most 300 points: of each step latency_ms_mean and p50 are the mean weighted by requests, p90, p95, p99, max and users are the highest of its seconds, rates are counts by time. Null when nothing was recorded. What stands in no list of required keys is in records since it is measured, and left out where a record would be too large.
 */
export interface Timeline {
  /**
   * How long a step is, in seconds.
   */
  step_s: number;
  /**
   * The end of each step, in seconds from the start of the scenario.
   *
   * @maxItems 300
   */
  t: number[];
  /**
   * The measured window, in seconds from the start of the scenario.
   *
   * @minItems 2
   * @maxItems 2
   */
  phase_steady: number[];
  throughput_rps: Series;
  iterations_rps?: Series;
  received_bytes_per_second?: Series;
  sent_bytes_per_second?: Series;
  latency_ms_mean?: Series;
  latency_ms_p50: Series;
  latency_ms_p90?: Series;
  latency_ms_p95: Series;
  latency_ms_p99: Series;
  latency_ms_max?: Series;
  errors_rps: Series;
  dropped_rps: Series;
  /**
   * Users at work.
   */
  users: Series;
  services: {
    [k: string]: {
      /**
       * Cores used.
       */
      cpu_ratio: Series;
      memory_bytes: Series;
    };
  };
  /**
   * Bytes of the network namespace that the services are in: of the whole machine in most cases, the loopback's and k6's included.
   */
  machine?: {
    network_rx_bytes_per_second?: Series;
    network_tx_bytes_per_second?: Series;
  };
  /**
   * By the name of the request, where there are several, and 12 at the most.
   */
  requests?: {
    [k: string]: {
      requests_rps: Series;
    };
  };
  /**
   * Metrics from Prometheus that were asked for over time, by name.
   */
  queries?: {
    [k: string]: Series;
  };
  /**
   * From when to when each fault really lasted, in seconds from the start of the scenario.
   */
  faults?: number[][];
  k6: {
    /**
     * Cores used.
     */
    cpu_ratio: Series;
  };
}
/**
 * The outcome of a run, or of comparing records: a verdict for each case and one for all, whether there was a baseline or not.
 */
export interface Comparison {
  schema: 1;
  /**
   * The id of the run; null when kept records were compared.
   */
  run: string | null;
  /**
   * ISO 8601, UTC.
   */
  time: string;
  /**
   * The command that repeats it.
   */
  command: string | null;
  /**
   * Where the records of the run are, from the suite's root.
   */
  folder: string | null;
  /**
   * The first of these that a case has.
   */
  verdict: 'error' | 'fail' | 'invalid' | 'inconclusive' | 'pass';
  /**
   * 4 error, 1 fail, 3 invalid or inconclusive, 0 pass.
   */
  exit: 0 | 1 | 3 | 4;
  /**
   * alpha: the family-wise false-positive rate of the comparison; metrics: how many gated metrics share it; each: the part of one.
   */
  budget: {
    alpha: number;
    metrics: number;
    each: number;
  };
  /**
   * What was asked for as base; null: nothing, or the specs say it case by case.
   */
  baseline: string | null;
  /**
   * What was compared with it, when that is not the run.
   */
  head: string | null;
  cases: ComparedCase[];
}
export interface ComparedCase {
  system: string;
  environment: string;
  scenario: string | null;
  case: string;
  title: string | null;
  values: {};
  status: 'measured' | 'error' | 'todo' | 'n-a' | 'interrupted';
  /**
   * error: a tool or a service failed, and there are no numbers.
   */
  verdict: 'error' | 'invalid' | 'fail' | 'inconclusive' | 'pass' | 'todo' | 'n-a';
  /**
   * Why, in a sentence; null for a pass.
   */
  reason: string | null;
  /**
   * Null: none was asked for.
   */
  comparison: {
    possible: boolean;
    /**
     * Why not.
     */
    reason: string | null;
    /**
     * sessions: measured one after the other; duet: at the same time, by the same requests; interleaved: one after the other in each block, in random order.
     */
    kind: 'sessions' | 'duet' | 'interleaved';
    baseline: string | null;
    /**
     * The assumed between-session standard deviation, on the log scale.
     */
    session_sd: number | null;
    /**
     * "assumed", or which records it was estimated from (then each metric has its own).
     */
    session_sd_source: string;
  } | null;
  /**
   * Gated ones first.
   */
  metrics: ComparedMetric[];
  /**
   * The main numbers of the head's record; null when it has none.
   */
  measured: {
    [k: string]: Measured;
  } | null;
  /**
   * The main numbers of the head's groups of requests.
   */
  groups?: {
    [k: string]: {
      count: number;
      duration_ms_p50: Measured;
      duration_ms_p95: Measured;
    };
  };
  /**
   * How many users the head tells apart; 0 where it does not.
   */
  users?: number;
  /**
   * As in the head's record.
   */
  faults?: Faults;
  rounds: number | null;
  command: string | null;
  definition: string | null;
  thresholds: Threshold[];
  findings: Finding[];
  /**
   * The file of the head's record, from the suite's root.
   */
  record: string | null;
  base_record: string | null;
}
export interface ComparedMetric {
  metric: string;
  unit: string;
  direction: 'lower' | 'higher' | null;
  /**
   * Can it fail the case?
   */
  gated: boolean;
  /**
   * ratio: ratio, low and high are head/base as they are, whichever direction is good. difference: they are head - base (shares, such as errors_ratio).
   */
  scale: 'ratio' | 'difference';
  /**
   * The centre of the rounds: their geometric mean, or their mean for shares.
   */
  base: number | null;
  head: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  tolerance: number;
  /**
   * The between-session standard deviation that the interval accounts for.
   */
  session_sd: number | null;
  verdict: 'better' | 'worse' | 'same' | 'unclear';
  /**
   * Does the interval reach beyond the tolerance on the worse side?
   */
  may_be_worse: boolean;
  /**
   * Minimum detectable effect: the smallest change for the worse that such a comparison finds with 80 % power. 0.1 is 10 %, or a share of 0.1.
   */
  mde: number | null;
  /**
   * Why there is no interval.
   */
  reason: string | null;
}
export interface Measured {
  value: number | null;
  unit: string;
  valid: boolean;
}
/**
 * One comparison of `benchfolio calibrate`: a duet of a system with itself, or with itself and more work, block by block. Written once.
 */
export interface Trial {
  schema: 1;
  /**
   * The calibration session's id and the trial's number in it: the file's name.
   */
  id: string;
  /**
   * When it ended; ISO 8601, UTC.
   */
  time: string;
  /**
   * aa or aa-noisy of an A/A trial, else the name of a slowdown: an A/B trial with known effect.
   */
  condition: string;
  /**
   * Other programs loaded the machine at random meanwhile.
   */
  bursts: boolean;
  /**
   * What was added to the environment of head's services.
   */
  env: {
    [k: string]: string;
  };
  /**
   * How many were asked for; all were measured, whatever the interim looks would have said.
   */
  blocks: number;
  timing: {
    warmup_s: number;
    seconds: number;
  };
  /**
   * How long it took in all.
   */
  seconds: number;
  seed: number;
  /**
   * error: a service or k6 failed on the way; blocks before it are there.
   */
  status: 'measured' | 'error';
  reason: string | null;
  system: string;
  environment: string;
  scenario: string;
  case: string;
  values: {};
  definition: string;
  commit: string | null;
  dirty: boolean;
  fingerprint: Fingerprint;
  metrics: {
    [k: string]: {
      unit: string;
      direction: 'lower' | 'higher' | null;
      /**
       * One value a block.
       */
      base: (number | null)[];
      head: (number | null)[];
      valid: boolean;
    };
  };
  /**
   * Cores that programs other than k6 and the two sides kept busy.
   */
  others_cpu_ratio_mean: number | null;
  /**
   * Of level error or warn, of either side.
   */
  findings: string[];
}
