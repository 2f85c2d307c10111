import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tryThreshold } from '../../../dist/suite/cases/thresholds.js';
import { recordsOf, writeKept } from './synthetic-records.js';

/**
 * What a spec can declare for its page beside its scenarios, all of it, over the records of `writeDeclaredSuite`.
 * @param {string} text that stands wherever text may stand
 */
const declared = (text) => `
[environments.cluster]
title = "A cluster"
url = "http://127.0.0.1:1"

[[tables]]
title = ${JSON.stringify(`Overhead ${text}`)}
scenario = "hello"
where = { rate = 1000 }
by = "environment"
cells = [
  { title = "Response time", metric = "latency_ms_p50" },
  { metric = "throughput_rps" },
  { title = "p95 (p99)", metrics = ["latency_ms_p95", "latency_ms_p99"], text = "{} ms ({})" },
  { metric = "errors_ratio" },
  { title = "CPU", metric = "cpu_ratio_mean", service = "app" },
]
change = { from = "single", to = "cluster" }
transpose = true
note = ${JSON.stringify(`Note ${text}`)}

[[tables]]
title = "By rate"
scenario = "hello"
by = "rate"
cells = [{ title = "list view", metric = "duration_ms_p95", group = "list view" }, { metric = "latency_ms_p50" }]

[[tables]]
title = "Requests"
scenario = "hello"
where = { rate = 2000 }
by = "request"
cells = [{ metric = "share" }, { metric = "latency_ms_p95" }]

[[tables]]
title = "Beside what was published"
scenario = "hello"
where = { environment = "single" }
by = "rate"
cells = [{ title = "achieved", metric = "throughput_rps" }, { metric = "latency_ms_p50" }]
published = { reference = ${JSON.stringify(`Published ${text}`)}, columns = { achieved = ${JSON.stringify(`${text}, 1/s`)} } }

[[charts]]
title = ${JSON.stringify(`Asked and achieved ${text}`)}
scenarios = ["hello"]
x = "rate"
y = "throughput_rps"
reference_line = "x=y"
reference_line_title = ${JSON.stringify(`as asked ${text}`)}

[[charts]]
title = "Setups"
scenarios = ["hello", "cpu-time"]
type = "bar"
x = "scenario"
where = { rate = 1000, cpuTime = 0 }
y = "throughput_rps"
reference_line = 500

[[charts]]
title = "Over time"
scenarios = ["hello"]
where = { rate = 1000, environment = "cluster" }
type = "time"
y = ["latency_ms_p50", "latency_ms_p99", "throughput_rps"]

[[charts]]
title = "Percentiles"
scenarios = ["hello"]
type = "distribution"
series = "environment"
where = { rate = 1000 }

[[charts]]
title = "Shares"
scenarios = ["hello"]
type = "histogram"
series = "environment"
where = { rate = 1000 }

[[references]]
title = ${JSON.stringify(`Published ${text}`)}
source = "https://example.com/numbers"
date = 2024-01-18
machine = ${JSON.stringify(`Machine ${text}`)}
note = "By its author."
columns = ["rate", ${JSON.stringify(`${text}, 1/s`)}]
rows = [[1000, 998.5], [2000, ${JSON.stringify(text)}]]

[[references]]
title = "No link"
source = "javascript:alert(1)"

[[attachments]]
title = ${JSON.stringify(`File ${text}`)}
file = "app.conf"
environment = "cluster"
`;

/**
 * Adds to a synthetic suite an environment "cluster" whose records have all that records may have, and what a spec may
 * declare.
 * @param {string} folder
 * @param {{ text?: string, version?: string, more?: string }} [wish] more: of the spec
 */
export function writeDeclaredSuite(folder, { text = '', version = 'v1.1', more = '' } = {}) {
  const spec = join(folder, 'specs', 'alpha', 'spec.toml');
  appendFileSync(spec, declared(text) + more);
  writeFileSync(join(dirname(spec), 'app.conf'), `server { ${text} }\n`);
  for (const record of recordsOf(['alpha'], 6, version, 1)) writeKept(folder, fullRecord(record, text));
}

/**
 * A record of the cluster with faults, groups, users told apart and metrics from Prometheus.
 * @param {any} record
 * @param {string} [text]
 */
export function fullRecord(record, text = '') {
  const places = [...record.timeline.t.keys()];
  const along = (/** @type {(i: number) => number} */ value) => places.map(value);
  const metric = (/** @type {string} */ unit, /** @type {number} */ value) => ({
    unit,
    direction: 'lower',
    value,
    samples: [value, value * 1.1],
    count: 10,
    valid: true,
    reason: null,
  });
  const [name] = Object.keys(record.requests);
  return {
    ...record,
    environment: 'cluster',
    metrics: { ...record.metrics, heap_bytes_mean: metric('bytes', 1.2e8), recovery_ms_max: metric('ms', 1500) },
    faults: [
      {
        service: `nginx${text}`,
        action: 'stop',
        at_s: 10,
        for_s: 2,
        recover_within_s: 5,
        errors: [30, 41, 0],
        recovery_ms: [0, 1500, null],
        down_ms: [2034, 2101, null],
      },
    ],
    groups: {
      'list view': { count: 200, metrics: { duration_ms_p50: metric('ms', 18), duration_ms_p95: metric('ms', 40) } },
    },
    per_user: { users: [1, 2, 3], receiving_bytes_per_second: [1e6, 9.5e5, null], requests: [3, 3, 0] },
    requests: { ...record.requests, [`GET /other ${text}`]: { ...record.requests[name], share: 0.25 } },
    thresholds: [
      ...record.thresholds,
      {
        ...record.thresholds[0],
        metric: 'receiving_rate',
        expr: 'min>900e3',
        ...tryThreshold('min>900e3'),
        unit: 'bytes/s',
        observed: 9.5e5,
        count: 2,
        outcome: 'met',
        reason: null,
      },
    ],
    timeline: {
      ...record.timeline,
      faults: [[10.2, 12.4]],
      users: along((i) => i),
      requests: {
        [name]: { requests_rps: along(() => 700) },
        [`GET /other ${text}`]: { requests_rps: along((i) => 200 + i) },
      },
      queries: { heap_bytes_mean: along((i) => 1e8 + 1e6 * i) },
    },
  };
}
