/**
 * Makes up a suite with records: for the site's tests, its build benchmark and for looking at it. SYNTHETIC: every
 * number comes from a formula and a seeded generator, and every page made from them says so in its titles.
 * Only for temporary folders; never publish what comes out.
 *
 *   node test/support/site/synthetic-records.js <folder> [systems cases versions]
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { schemaVersion } from '../../../reports/schema/version.js';
import { syntheticRecord } from './synthetic-record.js';
import { syntheticComparison } from './synthetic-run.js';

/** The last run. */
export const lastRun = '20260301T101500Z-4711';

/**
 * @typedef {object} Wish
 * @property {number} [systems]
 * @property {number} [cases] cases a system, spread over its scenarios
 * @property {number} [versions] kept versions
 * @property {number} [oldest] age of the first version, two weeks each: below 0 is before 2026
 * @property {boolean} [fresh] with a last run beside the kept versions
 * @property {string} [title] of the first system
 */

/**
 * Writes bench.toml, specs, kept records and a last run.
 * @param {string} folder
 * @param {Wish} [wish]
 */
export function writeSyntheticSuite(
  folder,
  { systems = 2, cases = 10, versions = 3, oldest = 0, fresh = true, title } = {},
) {
  write(join(folder, 'bench.toml'), 'default = "alpha"\n[site]\ntitle = "Synthetic suite"\n');
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'].slice(0, systems);
  names.forEach((system, i) => {
    write(join(folder, 'specs', system, 'spec.toml'), specOf((i === 0 && title) || system));
  });
  for (let v = 0; v < versions; v++) {
    for (const record of recordsOf(names, cases, `v1.${v}`, oldest + v)) writeKept(folder, record);
  }
  if (!fresh) return;
  const records = recordsOf(names.slice(0, 1), cases, lastRun, versions);
  writeRun(folder, records, `v1.${versions - 1}`);
}

/**
 * Writes one record where kept records are.
 * @param {string} folder
 * @param {any} record
 */
export function writeKept(folder, record) {
  const { version, system, environment } = record;
  write(join(folder, 'reports', 'versions', version, system, environment, `${record.case}.json`), json(record));
}

/**
 * Writes a run's folder and makes it the latest.
 * @param {string} folder
 * @param {any[]} records
 * @param {string} baseline
 */
function writeRun(folder, records, baseline) {
  const id = records[0].version;
  const dir = join(folder, '.bench', 'runs', id);
  for (const record of records) {
    write(join(dir, record.system, record.environment, record.case, 'record.json'), json(record));
  }
  const cases = records.map(({ system, environment, case: name }) => ({
    system,
    environment,
    case: name,
    dir: `${system}/${environment}/${name}`,
    status: 'measured',
    reason: null,
  }));
  const waiting = {
    system: 'alpha',
    environment: 'single',
    case: 'upload',
    dir: 'alpha/single/upload',
    status: 'todo',
    reason: 'needs a larger disk',
  };
  write(
    join(dir, 'run.json'),
    json({
      schema: schemaVersion,
      id,
      time: records[0].time,
      command: 'benchfolio run alpha',
      options: {},
      cases: [...cases, waiting],
    }),
  );
  write(join(dir, 'comparison.json'), json(syntheticComparison(records, baseline)));
  write(join(folder, '.bench', 'latest'), `${id}\n`);
}

/**
 * @param {string[]} systems
 * @param {number} cases
 * @param {string} version
 * @param {number} age how many versions came before
 */
export function recordsOf(systems, cases, version, age) {
  return systems.flatMap((system, s) =>
    Array.from({ length: cases }, (_, i) => {
      const rates = cases < 5 ? cases : Math.ceil(cases * 0.6);
      const swept = i < rates;
      const cpuTime = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500][i - rates] ?? 500 + i;
      const [scenario, values] = swept ? ['hello', { rate: 1000 * (i + 1) }] : ['cpu-time', { cpuTime }];
      return syntheticRecord({ system, environment: 'single', scenario, values, version, age, speed: 1 + s * 0.4 });
    }),
  );
}

/** @param {string} title */
const specOf = (title) => `title = ${JSON.stringify(title.length < 9 ? `Synthetic ${title}` : title)}
description = "Made-up numbers for looking at the pages; nothing was measured."

[about]
goal = "What would the pages look like with a service that saturates at a known rate?"
conclusions = "A queue **grows** before its service is busy."
method = "A queue's formula and a seeded generator stand in for k6 and the service."
deviations = ["Nothing runs.", "Latencies are drawn from a log-normal distribution."]
restrictions = "Never publish these pages."
hosts = "None."

[headline]
scenario = "hello"
set = { rate = 2000 }
metric = "cpu_ms_per_request"

[environments.single]
title = "One process"
url = "http://127.0.0.1:\${port}"
[[environments.single.services]]
name = "app"
command = ["node", "app.js"]

[scenarios.hello]
title = "Hello World"
description = "A rising rate of requests for a constant greeting."
executor = "constant-arrival-rate"
rate = "\${rate}"
duration = "30s"
preAllocatedVUs = 200
sweep = { rate = { from = 1000, to = 6000, step = 1000 } }
saturation = "expected"
[[scenarios.hello.requests]]
get = "/hello"
[scenarios.hello.thresholds]
http_req_duration = ["p(95)<50", { expr = "p(99)<100", level = "warn" }]
memory_bytes = "max<300e6"
[[scenarios.hello.charts]]
title = "Requests a second, asked and achieved"
x = "rate"
y = "throughput_rps"
[[scenarios.hello.charts]]
title = "Latency against the target rate"
x = "rate"
y = "latency_ms_p95"
scale = "log"

[scenarios.cpu-time]
title = "Work in a request"
description = "Each request keeps the event loop busy for cpuTime milliseconds."
executor = "constant-vus"
vus = 20
duration = "30s"
sweep = { cpuTime = [0, 1, 2, 5] }
[[scenarios.cpu-time.requests]]
get = "/load"
query = { cpuTime = "\${cpuTime}" }
[[scenarios.cpu-time.charts]]
title = "Requests a second against work in a request"
type = "bar"
x = "cpuTime"
y = "throughput_rps"

[scenarios.upload]
title = "Uploads"
executor = "constant-vus"
vus = 5
duration = "30s"
status = "todo"
reason = "needs a larger disk"
[[scenarios.upload.requests]]
post = "/upload"
body = { bytes = "10kB" }
`;

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 1)}\n`;

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...counts] = argv.slice(2);
  const [systems, cases, versions] = counts.map(Number);
  writeSyntheticSuite(folder, { systems, cases, versions });
}
