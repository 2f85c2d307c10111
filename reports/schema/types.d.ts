// Made of the schemas by test/reports/types.test.js.

/**
 * A file name: no slash, no space, no leading dot.
 */
export type Name = string;
export type Samples = (number | null)[];
/**
 * Faults that were injected, in order of time. Iterations that start between one second before a fault and the time by which the system must have recovered are measured separately.
 */
export type Faults = Fault[];
/**
 * Only in the load lane of a duet: whether it is met in each block in which anything was observed.
 */
export type MetIn = boolean[];
/**
 * What readers must know before they trust the numbers.
 */
export type Findings = Finding[];
/**
 * @maxItems 300
 */
export type Series = (number | null)[];
export type Commit = string | null;

export interface Printed {
  BenchRecord?: BenchRecord;
  Comparison?: Comparison;
  Trial?: Trial;
}
/**
 * The result of one case: one scenario in one environment with one value of every swept parameter. Written once, to reports/versions/<version>/<system>/<environment>/<case>.json; at most 64 kB.
 */
export interface BenchRecord {
  /**
   * The version of this schema.
   */
  schema: 3;
  /**
   * The version that contains the record; before it is kept, the id of its run.
   */
  version: string;
  /**
   * The folder in specs/ that was measured.
   */
  system: Name;
  /**
   * The environment of the spec that was measured.
   */
  environment: Name;
  /**
   * The scenario of the spec: the load.
   */
  scenario: Name;
  /**
   * The scenario, followed by ,key=value for each swept parameter in key order.
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
   * What sent the requests, where it was not k6's own client.
   */
  player?: 'native';
  /**
   * How many of the sampled answers came by each protocol. Absent: that is not known.
   */
  protocols?: Counts;
  /**
   * A hash of everything that affects what is measured. Another definition starts another series.
   */
  definition: string;
  /**
   * When the run started: ISO 8601, UTC.
   */
  time: string;
  /**
   * The commit of the repository, or null outside of one.
   */
  commit: string | null;
  /**
   * Whether the working tree had uncommitted changes. Null outside of a repository.
   */
  dirty: boolean | null;
  /**
   * The command that repeats this measurement.
   */
  command: string;
  /**
   * The seed of the random order of the cases.
   */
  seed: number | null;
  fingerprint: Fingerprint;
  speed?: Speed;
  /**
   * Only in records of `benchfolio import`: the tool that measured this, and the files that it was read from. Such a record is compared with imports of the same format only.
   */
  imported?: {
    format:
      | 'jmeter-jtl'
      | 'jmeter-statistics'
      | 'artillery'
      | 'wrk'
      | 'phout'
      | 'k6-summary'
      | 'vegeta'
      | 'hey'
      | 'oha'
      | 'autocannon'
      | 'locust'
      | 'gatling';
    tool: string;
    /**
     * One file for each round.
     *
     * @minItems 1
     */
    files: {
      name: string;
      sha256: string;
    }[];
  };
  /**
   * The part of the scenario that counts, in seconds from its start, or from the start of each part of a round that is cut into several k6 processes; to_s is null if the scenario ends with its iterations. seconds: its length without the time around faults, summed over rounds.
   */
  window: {
    from_s: number;
    to_s: number | null;
    seconds: number;
  };
  /**
   * As what the memory of services counts. pss: of a page that processes share, each has its share; working_set: of containers, what their cgroups have in use, without page cache that was not used lately; mixed: some services are containers; missing: RSS summed over processes, which counts such a page once for each.
   */
  memory?: 'pss' | 'working_set' | 'mixed';
  /**
   * How many rounds were completed.
   */
  rounds: number;
  /**
   * By name: noun_unit_qualifier.
   */
  metrics: Metrics;
  /**
   * By name of the request.
   */
  requests: {
    [k: string]: {
      count: number;
      /**
       * Share of all requests.
       */
      share: number | null;
      /**
       * The weight in the spec; null if the requests are a sequence.
       */
      weight: number | null;
      metrics: Metrics;
      tail?: Tail;
      answers?: Answers;
    };
  };
  /**
   * By name of the group: requests timed as one, from the start of the first to the end of the last, minus the pauses between them.
   */
  groups?: {
    [k: string]: {
      count: number;
      metrics: Metrics;
    };
  };
  /**
   * By name, with the groups that it is in: how often each check of the scenario's script (k6's `check`) passed and failed, over the whole load, warm-up included; in a duet, of both sides. Those that failed most. Absent: nothing was checked.
   */
  checks?: {
    [k: string]: CheckCounts;
  };
  /**
   * By name: what the scenario's script measures itself, with k6's Trend, Counter, Rate and Gauge. With tags where a threshold or a gate names some: checkout_ms{step:pay}. Compared where it is known which is better: of times lower, else by the thresholds on it. Absent: nothing.
   */
  script_metrics?: {
    [k: string]: ScriptMetric;
  };
  /**
   * Of a side of a duet: the two programs that were not part of it and used the most CPU time meanwhile.
   *
   * @maxItems 2
   */
  other_programs?: {
    name: string;
    /**
     * Of the machine's CPU time.
     */
    share: number;
  }[];
  faults?: Faults;
  search?: Search;
  /**
   * Each user measured separately, summed over all rounds; null if users are not separated. The rate covers responses that took 50 ms or more to receive.
   */
  per_user?: {
    /**
     * The numbers of the users.
     *
     * @maxItems 100
     */
    users: number[];
    /**
     * One rate for each user; null: no response took that long.
     */
    receiving_bytes_per_second: Samples;
    requests: number[];
  } | null;
  /**
   * By name of the service. cpu_ms_per_request is the CPU time of this service divided by all requests of the case.
   */
  services: {
    [k: string]: {
      metrics: Metrics;
    };
  };
  /**
   * How the spec asks for this case to be compared with a baseline.
   */
  compare: {
    tolerance?: number;
    tolerances?: {
      [k: string]: number;
    };
    guardrails?: {
      [k: string]: number | boolean;
    };
    alpha?: number;
    session_sd?: number;
    gate?: string[];
  } | null;
  /**
   * What the spec expects and what was observed, over all rounds. Includes the cap on failed requests.
   */
  thresholds: Threshold[];
  findings: Findings;
  distribution: Distribution | null;
  tail?: Tail;
  age?: Age;
  timeline: Timeline | null;
  /**
   * The verdict of the record alone: invalid with a finding of level error, fail with a missed threshold of level fail, otherwise pass.
   */
  verdict: 'pass' | 'fail' | 'invalid';
  /**
   * Why, in one sentence: the first error, or all thresholds that are missed; null: it passes.
   */
  reason: string | null;
}
export interface Counts {
  [k: string]: number;
}
/**
 * The machine, and the tools that matter. Records are not compared if the CPU (model, family, stepping, microcode, caches), kernel, number of cores, memory (by more than 5 %), kind of runner or k6 major.minor differ.
 */
export interface Fingerprint {
  cpu_model: string;
  cpu_family?: number;
  cpu_model_number?: number;
  cpu_stepping?: number;
  microcode?: string;
  /**
   * The sizes of the first core's caches: "32K 32K 512K 32768K".
   */
  caches?: string;
  /**
   * Another one after each start of the machine.
   */
  boot?: string;
  /**
   * Null, like memory and runner, in an imported record that does not know them.
   */
  cores: number | null;
  memory_bytes: number | null;
  runner: 'local' | 'github-hosted' | 'self-hosted' | 'ci' | null;
  os: string;
  kernel: string;
  k6: string;
  node: string;
}
/**
 * How long fixed work took before and after the case, which tells whether the machine was as fast as for another record. Absent where it was not measured: such a record is not compared with one of another session.
 */
export interface Speed {
  before: Speed1;
  after: Speed1;
}
/**
 * By one thread, and by as many as there are cores (their mean).
 */
export interface Speed1 {
  one: Work;
  all: Work;
}
export interface Work {
  /**
   * A million steps of integer arithmetic.
   */
  integer_ms: number;
  /**
   * Copying 16 MiB.
   */
  memory_ms: number;
  /**
   * SHA-256 of 1 MiB.
   */
  hash_ms: number;
}
export interface Metrics {
  [k: string]: Metric;
}
export interface Metric {
  /**
   * ms, 1/s, ratio (a share from 0 to 1; generator_cpu_ratio may exceed 1), 1 (a number), cores (1 is one core busy all the time), bytes, bytes/s; for a metric from Prometheus the unit in the spec.
   */
  unit: string;
  /**
   * Which values are better; null: neither.
   */
  direction: 'lower' | 'higher' | null;
  /**
   * The value over all rounds; null: unknown.
   */
  value: number | null;
  /**
   * The value of each round. Empty for single requests and metrics of a script if the record would otherwise be too large.
   */
  samples: (number | null)[];
  /**
   * The number of observations behind the value; null if that makes no sense.
   */
  count: number | null;
  /**
   * Whether the value counts. Only then may it be shown as a result.
   */
  valid: boolean;
  /**
   * Why it does not count: the id of a finding, or a sentence.
   */
  reason: string | null;
}
/**
 * In a duet: quantiles of the latency from p90 on, of each block; in the age lane all that a second has. A comparison counts head's requests that took longer than base's p99.
 */
export interface Tail {
  /**
   * Percent, ascending.
   *
   * @minItems 2
   */
  p: number[];
  /**
   * The requests of each block.
   */
  counts: number[];
  /**
   * Of each block: milliseconds, one for each p.
   */
  values: number[][];
}
/**
 * What came back, of the answers that were sampled: about the first 50 of each round. Absent: none were.
 */
export interface Answers {
  /**
   * How many were sampled.
   */
  count: number;
  /**
   * How many of them came after a redirect.
   */
  redirected: number;
  /**
   * How many had each status, the eight most frequent ones.
   */
  statuses: Counts;
  /**
   * How many had each media type, the eight most frequent ones; an empty name: none.
   */
  types: Counts;
  /**
   * Sizes of bodies, by Content-Length or as they came; null where that is not known.
   */
  bytes: {
    count: number;
    mean: number;
    sd: number;
    min: number;
    p50: number;
    max: number;
  } | null;
  /**
   * How many bodies were hashed (those up to 1 MB), and how many different ones a round had at most.
   */
  bodies: {
    count: number;
    distinct: number | null;
  };
  fields?: AnswerFields;
}
/**
 * In a duet, of one user: what the first JSON bodies of each block hold, by path (items[].id; the empty one is the body). Absent: none was JSON.
 */
export interface AnswerFields {
  /**
   * How many bodies.
   */
  count: number;
  paths: {
    [k: string]: {
      /**
       * How many bodies had each kind of value there; of elements of an array all kinds together.
       */
      kinds: Counts;
      /**
       * How many bodies had each value, by a digest, or each length of an array; null: there were too many different ones.
       */
      values: Counts | null;
      /**
       * How many different values a block had at most.
       */
      distinct: number;
    };
  };
}
export interface CheckCounts {
  passes: number;
  fails: number;
}
export interface ScriptMetric {
  type: 'trend' | 'counter' | 'rate' | 'gauge';
  /**
   * window: of the measured window, which k6 keeps if a threshold or a gate names the metric; run: of the whole load, warm-up included.
   */
  of: 'window' | 'run';
  /**
   * The number of observations; null: k6 does not say.
   */
  count: number | null;
  /**
   * trend: mean, p50, p95, p99, max; counter: total over all rounds, and per_second of the window; rate: ratio; gauge: last (the mean of the last value of each k6 process), min, max.
   */
  metrics: Metrics;
}
export interface Fault {
  service: string;
  action: 'stop' | 'kill' | 'pause';
  /**
   * Start in seconds from the start of the load, as in the spec.
   */
  at_s: number;
  for_s: number;
  /**
   * The time after its end within which the system had to recover.
   */
  recover_within_s: number;
  /**
   * Failed requests around the fault, by round.
   */
  errors: number[];
  /**
   * Time from the end of the fault to the last error, by round; 0: no error after its end; null: unknown.
   */
  recovery_ms: Samples;
  /**
   * How long the service was down until it was ready again, by round; null: unknown.
   */
  down_ms: Samples;
}
/**
 * Only in records of `benchfolio find`: the capacity, the highest load that meets the thresholds. The record is that of the scenario one step below the lowest load that a search found to be met.
 */
export interface Search {
  /**
   * What was raised: the scenario's rate or its users.
   */
  parameter: 'rate' | 'vus';
  /**
   * The metric that holds the capacity.
   */
  metric: string;
  unit: string;
  /**
   * The relative precision at which a search stopped.
   */
  precision: number;
  /**
   * How long each load was measured, in seconds.
   */
  probe_s: number;
  confidence: number;
  /**
   * The geometric mean of the estimates.
   */
  value: number;
  /**
   * Student's confidence interval, wider by half of the last step of a search; null: there was only one search.
   */
  low: number | null;
  high: number | null;
  /**
   * For each search at the edge, the middle between a load that was met and one that was not.
   *
   * @minItems 1
   */
  estimates: number[];
  /**
   * Every load that was tried, in ascending order. reason: why it was not met.
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
   * The metric, as the spec names it: of k6, of the services, of faults and users, or from Prometheus. errors_ratio for the cap on errors.
   */
  metric: string;
  selector: Selector;
  /**
   * An expression in k6's grammar: p(95)<50.
   */
  expr: string;
  /**
   * p(95), avg, count, …; value: of the metric itself.
   */
  aggregation: string;
  /**
   * That the aggregation is: 0 for min, 50 for med, 100 for max; null: it is none.
   */
  percentile: number | null;
  /**
   * How what was observed is compared with the value.
   */
  op: '<' | '<=' | '>' | '>=' | '==' | '===' | '!=';
  /**
   * What is expected, in the unit of what was observed.
   */
  value: number;
  level: 'fail' | 'warn';
  /**
   * Whether it is the cap on errors that every scenario has.
   */
  implicit: boolean;
  observed: number | null;
  /**
   * Of what was observed; 1 where k6 does not have the metric.
   */
  unit: string;
  /**
   * The number of observations.
   */
  count: number | null;
  /**
   * unknown: there were no observations, or too few.
   */
  outcome: 'met' | 'missed' | 'unknown';
  /**
   * Why it is unknown.
   */
  reason: string | null;
  /**
   * All of it for people: http_req_duration p(95)<50: 55.1.
   */
  text: string;
  met_in?: MetIn;
}
/**
 * Tags that select part of it.
 */
export interface Selector {
  [k: string]: string;
}
export interface Finding {
  id: string;
  /**
   * error: the case is invalid.
   */
  level: 'error' | 'warn' | 'info';
  /**
   * The text for people.
   */
  text: string;
  /**
   * Names of the metrics that do not count because of it.
   */
  metrics: string[];
}
/**
 * Latency of all requests as a grid of quantiles; null if nothing was observed. The quantiles of one k6 process are exact. Those of several are merged by their distribution functions, weighted by count, under the assumption that observations between two quantiles are evenly distributed. Histograms of the native player add up exactly, and a quantile is read off their sum. error: the largest possible relative error of p50, p95 and p99 caused by that (0: nothing was merged; 0.0039: read off a histogram).
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
   * Milliseconds, one value for each p.
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
 * In the age lane of a duet: its window in consecutive parts, of a second or longer.
 */
export interface Age {
  requests: number[];
  errors_ratio: Samples;
  latency_ms_p50: Samples;
  /**
   * Of all services together, in the middle of a part.
   */
  memory_bytes: Samples;
  /**
   * The latency second by second: quantiles of each, all 0 in one without requests. Absent in records from before it was kept.
   */
  seconds?: Tail;
}
/**
 * The first round second by second, thinned to at most 300 points. For each step, latency_ms_mean and p50 are means weighted by requests; p90, p95, p99, max and users are the maximum of its seconds; rates are counts divided by time. Null if nothing was recorded. Keys that are not required are absent in records from before they were measured, and in records that would be too large.
 */
export interface Timeline {
  /**
   * The length of a step, in seconds.
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
   * Bytes of the services' network namespace: usually of the whole machine, including the loopback interface and k6.
   */
  machine?: {
    network_rx_bytes_per_second?: Series;
    network_tx_bytes_per_second?: Series;
  };
  /**
   * By name of the request; only if there are several, and at most 12.
   */
  requests?: {
    [k: string]: {
      requests_rps: Series;
    };
  };
  /**
   * What the scenario's script measures itself, by name, of the whole load: p50 and p95 of a trend, per_second of a counter, ratio of a rate, last of a gauge; at most 8.
   */
  script?: {
    [k: string]: {
      [k: string]: Series;
    };
  };
  /**
   * Time series of metrics from Prometheus, by name.
   */
  queries?: {
    [k: string]: Series;
  };
  /**
   * The actual start and end of each fault, in seconds from the start of the scenario.
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
 * The outcome of a run or of a comparison of records: one verdict per case and one for all, with or without a baseline.
 */
export interface Comparison {
  schema: 3;
  /**
   * The id of the run; null when kept records were compared.
   */
  run: string | null;
  /**
   * ISO 8601, UTC.
   */
  time: string;
  /**
   * The command that reproduces it.
   */
  command: string | null;
  /**
   * The folder of the run's records, relative to the suite's root.
   */
  folder: string | null;
  /**
   * The first of these verdicts that any case has.
   */
  verdict: 'error' | 'fail' | 'invalid' | 'inconclusive' | 'pass';
  /**
   * 4 error, 1 fail, 3 invalid or inconclusive, 0 pass.
   */
  exit: 0 | 1 | 3 | 4;
  /**
   * alpha: the family-wise false-positive rate of the comparison; metrics: how many gated metrics share it; each: the share of one metric of a case, of cases of a duet, which have equal parts, the smallest; parts: how many of the metrics are of requests, which the default gate of a duet adds, and each_part: the share of one of these; lanes: how many of them are of the load lane and the saturation probe, and each_lane: the share of one of these; guardrails: how many are other guardrails, and each_guardrail: the share of one of these.
   */
  budget: {
    alpha: number;
    metrics: number;
    each: number;
    parts?: number;
    each_part?: number;
    lanes?: number;
    each_lane?: number;
    guardrails?: number;
    each_guardrail?: number;
  };
  /**
   * The requested base; null: none, or each spec names its own.
   */
  baseline: string | null;
  /**
   * What was compared with base, if that is not the run.
   */
  head: string | null;
  /**
   * Of a duet: the commits of its sides, whole; null where a side was none (an address, or files that differ from their commit).
   */
  commits?: {
    base: Commit;
    head: Commit;
  };
  /**
   * What else to know of what was compared, in sentences: files that differ from the commit, sides that are the same.
   */
  notes?: string[];
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
   * Whether a duet needs no more blocks: something is worse, or nothing gated waits for them.
   */
  decided?: boolean;
  /**
   * In a duet: how head's benchmark differs from base's, whose rule it is judged by. A case with a change that is looser, and that base has not accepted, does not pass.
   */
  changes?: {
    /**
     * What it is about, such as threshold http_req_duration p(95) at most.
     */
    subject: string;
    base: string;
    head: string;
    /**
     * Head measures or expects less, or that it does not cannot be shown.
     */
    looser: boolean;
    /**
     * What an [[accept]] of base's bench.toml says as `change`, so that this change and no other may pass; empty where none can.
     */
    accept?: string;
    /**
     * Why base's bench.toml accepts it, or null.
     */
    accepted: string | null;
  }[];
  /**
   * The reason, in one sentence; null for a pass.
   */
  reason: string | null;
  /**
   * Null: no comparison was requested.
   */
  comparison: {
    possible: boolean;
    /**
     * Why it is not possible.
     */
    reason: string | null;
    /**
     * sessions: measured one after the other; duet: at the same time, by the same requests; interleaved: one after the other in each block, in random order.
     */
    kind: 'sessions' | 'duet' | 'interleaved';
    /**
     * True: each side had a k6 process of its own, at the same time, since the script brings its own load.
     */
    apart?: boolean;
    /**
     * Not there: all blocks that it took were measured. Else the budget of the case, in seconds, which was over before the next look.
     */
    budget_s?: number;
    /**
     * True: both sides swapped cores, in the blocks with one user.
     */
    swapped_cores?: true;
    /**
     * True: the cores were kept from falling idle, in the blocks with one user.
     */
    kept_awake?: true;
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
   * The metrics, gated ones first.
   */
  metrics: ComparedMetric[];
  /**
   * The main numbers of the head's record, or of that of its `measured_lane`; null when it has none.
   */
  measured: {
    [k: string]: Measured;
  } | null;
  /**
   * load: what is in `measured` is of the load lane of a duet, so under the scenario's own load. null: there is none.
   */
  measured_lane?: 'load' | null;
  /**
   * In a duet: the latencies of both sides, by percentile, under the load that `measured` is of.
   */
  distributions?: {
    base: Distribution | null;
    head: Distribution | null;
  };
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
   * How many users the head measures separately; 0 if it does not.
   */
  users?: number;
  /**
   * As in the head's record.
   */
  faults?: Faults;
  rounds: number | null;
  command: string | null;
  definition: string | null;
  /**
   * Of head's record; in a duet, the cap on errors in the solo lane, and all thresholds under load.
   */
  thresholds: JudgedThreshold[];
  findings: Finding[];
  /**
   * The file of the head's record, relative to the suite's root.
   */
  record: string | null;
  base_record: string | null;
}
export interface ComparedMetric {
  metric: string;
  unit: string;
  direction: 'lower' | 'higher' | null;
  /**
   * Whether it can fail the case.
   */
  gated: boolean;
  /**
   * It fails the case when it is worse, but does not keep it from passing when it is unclear: a metric of a lane beside solo, or one of `guardrails`, unless that seems to be worse, or half of a throughput may be gone.
   */
  guardrail?: true;
  /**
   * ratio: ratio, low and high are head/base, whichever direction is better. difference: they are head - base (for shares, such as errors_ratio, and for bytes of memory growth).
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
  /**
   * The interval that shows `same`, or not worse: each of its ends is wrong with probability `alpha` (at an interim look, its share of that), since a pass has to show it of each metric. null where there is no confidence interval.
   */
  equivalence?: {
    low: number;
    high: number;
  } | null;
  tolerance: number;
  /**
   * The between-session standard deviation that the confidence interval accounts for.
   */
  session_sd: number | null;
  verdict: 'better' | 'worse' | 'same' | 'unclear';
  /**
   * Whether the equivalence interval reaches beyond the tolerance on the worse side.
   */
  may_be_worse: boolean;
  /**
   * Whether the estimate itself lies beyond the tolerance on the worse side.
   */
  seems_worse?: boolean;
  /**
   * Minimum detectable effect: the smallest change for the worse that such a comparison finds with 80 % power. 0.1 is 10 %, or a share of 0.1.
   */
  mde: number | null;
  /**
   * Why there is no confidence interval.
   */
  reason: string | null;
  /**
   * Of a gated metric of a duet: its values on both sides, block by block.
   */
  blocks?: {
    base: number[];
    head: number[];
  };
}
export interface Measured {
  value: number | null;
  unit: string;
  valid: boolean;
  /**
   * Where the case is saturated: the latency from the intended start, which counts in place of the value.
   */
  intended?: number;
}
export interface JudgedThreshold {
  metric: string;
  selector: Selector;
  expr: string;
  aggregation: string;
  percentile: number | null;
  op: '<' | '<=' | '>' | '>=' | '==' | '===' | '!=';
  value: number;
  level: 'fail' | 'warn';
  implicit: boolean;
  observed: number | null;
  unit: string;
  count: number | null;
  outcome: 'met' | 'missed' | 'unknown';
  reason: string | null;
  text: string;
  /**
   * The lane of a duet in which it was judged, on both sides.
   */
  lane?: 'load';
  /**
   * What came of it on base in that lane.
   */
  base?: {
    observed: number | null;
    outcome: 'met' | 'missed' | 'unknown';
    reason: string | null;
  };
  /**
   * Of that lane. worse: head misses it and base meets it, in every block; unclear: head misses it, or was overloaded, and base meets it, but not in every block; better: the other way round; same: both meet it, or both miss it; null: not judged. At level fail, worse fails the case, and unclear leaves it undecided.
   */
  verdict?: 'better' | 'worse' | 'same' | 'unclear' | null;
}
/**
 * One comparison of `benchfolio calibrate`: a duet of a system with itself, or with itself and a change of known kind, block by block, with what is judged of the records of both sides. A line of the file of its calibration session.
 */
export interface Trial {
  schema: 3;
  /**
   * The calibration session's id and the trial's number in it: the file's name.
   */
  id: string;
  /**
   * When the trial ended; ISO 8601, UTC.
   */
  time: string;
  /**
   * aa, aa-noisy or aa-checkouts of an A/A trial (aa-checkouts: each side has a checkout of the same commit, built apart), else the name of a kind of change: an A/B trial with known effect.
   */
  condition: string;
  /**
   * Whether other programs loaded the machine at random during the trial.
   */
  bursts: boolean;
  /**
   * The variables added to the environment of head's services.
   */
  env: {
    [k: string]: string;
  };
  /**
   * The variables added to the environment of both sides' services; left out where there are none.
   */
  both?: {
    [k: string]: string;
  };
  /**
   * How many blocks were requested; all were measured, whatever the interim looks would have decided.
   */
  blocks: number;
  timing: {
    warmup_s: number;
    seconds: number;
  };
  /**
   * How the load lane and the saturation probe were measured; null: only solo was.
   */
  lanes: {
    /**
     * How many blocks they had of their own, before those of the solo lane; not there where they follow in each of these.
     */
    blocks?: number;
    load: {
      warmup_s: number;
      seconds: number;
    };
    saturation: {
      users: number;
      warmup_s: number;
      seconds: number;
      /**
       * How long each side had its turn; left out: both sides were loaded at the same time.
       */
      turn_s?: number;
    };
    /**
     * How long the age lane was; null or left out: there was none.
     */
    age?: {
      warmup_s: number;
      seconds: number;
    } | null;
  } | null;
  /**
   * How long the trial took.
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
  /**
   * What sent the requests, where it was not k6's own client.
   */
  player?: 'native';
  definition: string;
  commit: string | null;
  dirty: boolean;
  fingerprint: Fingerprint;
  speed?: Speed;
  /**
   * Cores that programs other than k6 and the two sides kept busy.
   */
  others_cpu_ratio_mean: number | null;
  /**
   * How the two sides were brought together: interleaved: why not concurrently; apart: each with a k6 process of its own; swapped_cores: whether they swapped cores, not there before that was possible; kept_awake: whether cores were kept from falling idle, likewise; lanes_interleaved: why they were not loaded at the same time; falls: services that ended under load; warm_up: how both were warmed up before each block, not there where one user did.
   */
  pair: {
    interleaved: string | null;
    apart: boolean;
    swapped_cores?: boolean;
    kept_awake?: boolean;
    lanes_interleaved: string | null;
    /**
     * iterations: of each side, before each block; seconds: how long it took to find that many; steady: whether the CPU time of an iteration no longer fell then; failing: the share of requests that failed, where no block was warmed up for that.
     */
    warm_up?: {
      users: number;
      iterations: number;
      seconds: number;
      steady: boolean;
      failing?: number;
    };
    falls: {
      lane: 'load' | 'saturation' | 'age';
      side: 'base' | 'head';
      reason: string;
    }[];
  };
  /**
   * What is judged of base's record; null: it has none.
   */
  base: TrialSide | null;
  head: TrialSide | null;
}
export interface TrialSide {
  rounds: number;
  verdict: 'pass' | 'fail' | 'invalid';
  memory: string | null;
  metrics: TrialMetrics;
  services: TrialParts;
  requests: TrialParts;
  thresholds: TrialThreshold[];
  /**
   * As in a record, but for notes.
   */
  findings: Findings;
  /**
   * As in a record; null: it has none.
   */
  tail: Tail | null;
  lanes: {
    load: TrialLane | null;
    saturation: TrialLane | null;
    /**
     * Left out where there was no age lane.
     */
    age?: TrialLane | null;
  } | null;
}
export interface TrialMetrics {
  [k: string]: {
    /**
     * As in a record: of how many requests; left out where there is none.
     */
    count?: number;
    valid: boolean;
    /**
     * Why it does not count; left out where it does.
     */
    reason?: string;
    /**
     * One value per block.
     */
    samples: (number | null)[];
  };
}
/**
 * By name of a service or request.
 */
export interface TrialParts {
  [k: string]: {
    count?: number | null;
    /**
     * As in a record.
     */
    answers?: {} | null;
    /**
     * As in a record.
     */
    tail?: Tail;
    metrics: TrialMetrics;
  };
}
/**
 * As in a record; early trials have no unit and no text.
 */
export interface TrialThreshold {
  metric: string;
  selector: Selector;
  expr: string;
  aggregation: string;
  percentile: number | null;
  op: '<' | '<=' | '>' | '>=' | '==' | '===' | '!=';
  value: number;
  level: 'fail' | 'warn';
  implicit: boolean;
  observed: number | null;
  unit?: string;
  count: number | null;
  outcome: 'met' | 'missed' | 'unknown';
  reason: string | null;
  text?: string;
  met_in?: MetIn;
}
export interface TrialLane {
  rounds: number;
  verdict: 'pass' | 'fail' | 'invalid';
  memory: string | null;
  metrics: TrialMetrics;
  services: TrialParts;
  requests: TrialParts;
  thresholds: TrialThreshold[];
  /**
   * As in a record, but for notes.
   */
  findings: Findings;
  /**
   * As in a record; null: it has none.
   */
  tail: Tail | null;
  /**
   * As in a record, of the age lane.
   */
  age?: Age;
}
