// What it takes to merge what many machines measured: 200 generators with an hour of histograms each, a thousand requests a
// second. Prints time and peak memory of `benchfolio merge`, by program.
//
//   node test/make/merge-simulation.js
//   GENERATORS=100 SECONDS=600 RATE=500 node test/make/merge-simulation.js
//
// One generator really runs, for two seconds; the others' histograms are drawn, lognormal, in the form that it wrote. There are
// eight different ones, of which the others are links: merging reads each as if it were its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { randomOf } from '../../dist/run/session/random-order.js';
import { benchfolio, folderOf, startBenchfolio } from '../support/cli.js';

/** @import { AddressInfo } from 'node:net' */

const generators = Number(process.env.GENERATORS ?? 200);
const seconds = Number(process.env.SECONDS ?? 3600);
const rate = Number(process.env.RATE ?? 1000);
const distinct = Math.min(generators, 8);

const server = createServer((_, response) => response.end('ok'));
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(null));
});
const { port } = /** @type {AddressInfo} */ (server.address());
const suite = await folderOf({
  'bench.toml': '',
  'specs/shop/spec.toml': `
title = "Shop"
[environments.there]
url = "http://127.0.0.1:${port}"
[scenarios.steady]
executor = "constant-arrival-rate"
rate = 400
timeUnit = "1s"
duration = "2s"
preAllocatedVUs = ${generators}
[[scenarios.steady.requests]]
get = "/"
`,
});
await benchfolio(['archive', 'shop', '--output', 'case.tar'], { cwd: suite });
await benchfolio(['generate', 'case.tar', '--part', `1/${generators}`, '--output', 'real'], { cwd: suite });
server.close();

const real = join(suite, 'real');
const text = (/** @type {string} */ name) => readFileSync(join(real, name), 'utf8');
const said = JSON.parse(text('generator.json'));
const lines = text('histograms.ndjson')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const [head] = lines;
const shapes = [
  ...new Map(
    lines
      .filter(({ total, tags }) => total && tags.phase === 'steady')
      .map((line) => [JSON.stringify(line.tags), line]),
  ).values(),
];
assert.ok(shapes.length > 0, 'the real generator counted something');

const began = performance.now();
const folders = Array.from({ length: generators }, (_, i) => join(suite, 'parts', `part-${i + 1}`));
const case_ = JSON.parse(text('case.json'));
Object.assign(case_.case, { duration_s: seconds, window: { ...case_.case.window, to_s: seconds } });
Object.assign(case_.case.k6, { duration: `${seconds}s`, rate: rate * generators });
const files = Array.from({ length: distinct }, (_, i) => drawn(i));
for (const [i, folder] of folders.entries()) write(folder, i);
const size = statSync(join(folders[0], 'histograms.ndjson')).size;
console.log(
  `${generators} generators, ${seconds} s of ${rate} requests/s each: ${(size / 1e6).toFixed(1)} MB of histograms each, ` +
    `${((size * generators) / 1e9).toFixed(2)} GB in all (drawn in ${took(began)})`,
);

const start = performance.now();
const { child, done } = startBenchfolio(['merge', 'parts', '--json'], { cwd: suite });
/** @type {Map<string, number>} kB by program */
const peaks = new Map();
const timer = setInterval(() => look(Number(child.pid)), 50);
const { code, stdout: out, stderr: err } = await done;
clearInterval(timer);
assert.ok(out !== '', `merge printed nothing (${code}): ${err}`);
console.log(`benchfolio merge: ${took(start)}, exit code ${code}, verdict ${JSON.parse(out).verdict}`);
for (const [name, kB] of [...peaks].filter(([, most]) => most > 1024))
  console.log(`  ${name}: at most ${Math.round(kB / 1024)} MiB`);
const run = join(suite, '.bench', 'runs', readdirSync(join(suite, '.bench', 'runs'))[0]);
const record = JSON.parse(readFileSync(join(run, 'shop', 'there', 'steady', 'record.json'), 'utf8'));
const all = shapes.reduce((sum, { counts }) => sum + (counts.http_reqs ? 1 : 0), 0) * rate * seconds * generators;
assert.equal(record.metrics.latency_ms_p50.count, all, 'each request is counted once');
console.log(
  `  requests in the record: ${record.metrics.latency_ms_p50.count}, p50 ${record.metrics.latency_ms_p50.value} ms`,
);

const k6 = await findTool('k6', { native: true });
const histograms = folders.map((folder) => join(folder, 'histograms.ndjson'));
const again = performance.now();
spawnSync(k6.path, ['x', 'benchfolio', 'merge', '--output', join(suite, 'again.ndjson'), ...histograms]);
console.log(
  `  of that, the histograms: ${took(again)}; merged, they have ${(statSync(join(suite, 'again.ndjson')).size / 1e6).toFixed(1)} MB`,
);

/** @param {number} from */
function took(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

/**
 * @param {number} seed
 * @returns {Record<string, { bytes: number, sha256: string }>}
 */
function drawn(seed) {
  const folder = join(suite, `drawn-${seed}`);
  mkdirSync(folder);
  const random = randomOf(seed);
  const fd = openSync(join(folder, 'histograms.ndjson'), 'w');
  const put = (/** @type {unknown} */ value) => void writeSync(fd, `${JSON.stringify(value)}\n`);
  put(head);
  /** @type {Map<string, Map<number, number>>} */
  const sums = new Map();
  for (let second = 0; second < seconds; second += 1) {
    const span = { from_ms: head.started_ms + second * 1000, to_ms: head.started_ms + (second + 1) * 1000 };
    for (const [s, { tags, counts, times }] of shapes.entries()) {
      const trends = Object.keys(times).map((name) => [name, trend(random, sumOf(sums, `${s} ${name}`))]);
      put({ ...span, tags, counts: each(counts, rate), times: Object.fromEntries(trends) });
    }
    put({ ...span, users: 1 });
  }
  const span = { from_ms: head.started_ms, to_ms: head.started_ms + seconds * 1000, total: true };
  for (const [s, { tags, counts, times }] of shapes.entries()) {
    const trends = Object.keys(times).map((name) => [name, written(sumOf(sums, `${s} ${name}`))]);
    put({ ...span, tags, counts: each(counts, rate * seconds), times: Object.fromEntries(trends) });
  }
  closeSync(fd);
  const summary = JSON.parse(text('summary.json'));
  for (const { type, values } of Object.values(summary.metrics)) {
    if (type === 'counter' && values.count > 0) values.count = rate * seconds;
    if (type === 'rate') Object.assign(values, { passes: 0, fails: rate * seconds, rate: 0 });
    if (type === 'trend') values.count = rate * seconds;
  }
  if (summary.metrics.dropped_iterations) summary.metrics.dropped_iterations.values.count = 0;
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary));
  writeFileSync(join(folder, 'case.json'), JSON.stringify(case_));
  const [first] = text('services.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const samples = Array.from({ length: seconds + 1 }, (_, t) => ({
    ...first,
    t: head.started_ms + t * 1000,
    k6: { ...first.k6, cpu_ns: t * 1e8 },
    machine: { ...first.machine, cpu_ticks: (first.machine.cpu_ticks ?? 0) + t * 10 },
  }));
  writeFileSync(join(folder, 'services.ndjson'), samples.map((one) => `${JSON.stringify(one)}\n`).join(''));
  writeFileSync(join(folder, 'k6.log'), text('k6.log'));
  return Object.fromEntries(
    ['case.json', 'summary.json', 'histograms.ndjson', 'services.ndjson', 'k6.log'].map((name) => {
      const content = readFileSync(join(folder, name));
      return [name, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }];
    }),
  );
}

/** @param {Map<string, Map<number, number>>} sums @param {string} key @returns {Map<number, number>} */
function sumOf(sums, key) {
  const found = sums.get(key) ?? new Map();
  sums.set(key, found);
  return found;
}

/** @param {Record<string, number>} counts @param {number} count */
function each(counts, count) {
  const kept = Object.entries(counts).filter(([name]) => !/failed|dropped|abandoned|errors/.test(name));
  return Object.fromEntries(kept.map(([name]) => [name, count]));
}

/** A second of a trend: around 1 ms. @param {() => number} random @param {Map<number, number>} into buckets of all seconds */
function trend(random, into) {
  /** @type {Map<number, number>} */
  const buckets = new Map();
  for (let i = 0; i < rate; i += 1) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const index = indexOf(Math.round(1e6 * Math.exp(0.5 * normal)));
    buckets.set(index, (buckets.get(index) ?? 0) + 1);
    into.set(index, (into.get(index) ?? 0) + 1);
  }
  return written(buckets);
}

/** As k6/native/README.md has it. @param {number} ns */
function indexOf(ns) {
  const shift = Math.floor(Math.log2(ns)) - 8;
  return (shift + 1) * 256 + Math.floor(ns / 2 ** shift) - 256;
}

/** @param {number} index @returns {number} the least of a bucket's values */
function lowOf(index) {
  return 2 ** (Math.floor(index / 256) - 1) * (256 + (index % 256));
}

/** @param {Map<number, number>} buckets */
function written(buckets) {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const count = sorted.reduce((sum, [, n]) => sum + n, 0);
  let last = 0;
  const flat = sorted.flatMap(([index, n], i) => {
    const gap = index - last;
    last = index;
    return [i === 0 ? index : gap, n];
  });
  const [min, max] = [lowOf(sorted[0][0]), lowOf(sorted[sorted.length - 1][0])];
  return { count, sum: sorted.reduce((sum, [index, n]) => sum + lowOf(index) * n, 0), min, max, buckets: flat };
}

/** @param {string} folder @param {number} i */
function write(folder, i) {
  mkdirSync(folder, { recursive: true });
  const from = join(suite, `drawn-${i % distinct}`);
  for (const name of Object.keys(files[i % distinct])) linkSync(join(from, name), join(folder, name));
  const own = { ...said, part: { index: i + 1, of: generators }, host: `node-${i + 1}`, boot: `boot-${i + 1}` };
  writeFileSync(join(folder, 'generator.json'), JSON.stringify({ ...own, files: files[i % distinct] }));
}

/** @param {number} pid of a process; the programs that it started are looked at too */
function look(pid) {
  for (const one of [pid, ...childrenOf(pid)]) {
    try {
      const status = readFileSync(`/proc/${one}/status`, 'utf8');
      const name = /^Name:\s+(.*)$/m.exec(status)?.[1] ?? '?';
      const kB = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      peaks.set(name, Math.max(peaks.get(name) ?? 0, kB));
    } catch {
      // it has ended
    }
  }
}

/** @param {number} pid @returns {number[]} */
function childrenOf(pid) {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return own.flatMap((one) => [one, ...childrenOf(one)]);
  } catch {
    return [];
  }
}
