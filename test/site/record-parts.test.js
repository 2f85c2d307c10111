// What a record's page says of its machine, its services, its verdict and its rounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeline } from '../../dist/site/charts/timeline.js';
import { metricNames } from '../../dist/site/model/metric-names.js';
import { tagsOf } from '../../dist/site/model/verdict.js';
import { recordCsv } from '../../dist/site/pages/csv.js';
import { machineRows } from '../../dist/site/pages/machine-rows.js';
import { partTable } from '../../dist/site/pages/part-table.js';
import { scriptTable } from '../../dist/site/pages/script-table.js';
import { serviceParts } from '../../dist/site/pages/service-parts.js';
import { fixture, imported, time } from '../support/imported.js';
import { recordsOf } from '../support/site/synthetic-records.js';

/** @import { Chart } from '../../dist/site/charts/chart.js' */

const record = () => /** @type {any} */ (structuredClone(recordsOf(['alpha'], 1, 'v1', 0)[0]));

test('two findings of one kind are one tag, with both texts', () => {
  const found = ['p(95)<5 decides nothing.', 'p(99)<9 decides nothing.'];
  const findings = [
    ...found.map((text) => ({ id: 'too-few-samples', level: 'error', text, metrics: [] })),
    { id: 'disturbed', level: 'warn', text: 'Other programs.', metrics: [] },
    { id: 'colocated', level: 'info', text: 'One machine.', metrics: [] },
  ];
  assert.deepEqual(tagsOf(/** @type {any} */ ({ record: { ...record(), findings } })), [
    { word: 'too-few-samples', text: found.join(' ') },
    { word: 'disturbed', text: 'Other programs.' },
  ]);
});

test('a pass that misses what only warns says so', () => {
  const threshold = { metric: 'http_req_duration', selector: {}, unit: 'ms', implicit: false, reason: null };
  const thresholds = [
    { ...threshold, expr: 'p(95)<2200', level: 'warn', observed: 4859, outcome: 'missed', text: 'p(95)<2200: 4,859' },
    { ...threshold, expr: 'p(90)<2200', level: 'warn', observed: 900, outcome: 'met', text: 'p(90)<2200: 900' },
  ];
  assert.deepEqual(tagsOf(/** @type {any} */ ({ record: { ...record(), findings: [], thresholds } })), [
    { word: 'warned', text: 'p(95)<2200: 4,859' },
  ]);
});

test('an import says what is known of its machine, and nothing of what is not', async () => {
  const file = fixture('wrk', 'latency.txt');
  assert.deepEqual(machineRows(await imported('wrk', [file], { time, machine: 'my laptop' })), [
    { name: 'machine', text: 'my laptop' },
    { name: 'player', text: 'wrk' },
  ]);
  assert.deepEqual(machineRows(await imported('wrk', [file], { time })), [{ name: 'player', text: 'wrk' }]);
  const own = machineRows({ ...record(), fingerprint: { ...record().fingerprint, runner: null } });
  assert.deepEqual(own.slice(0, 4), [
    { name: 'cpu model', text: 'Synthetic CPU @ 3.00GHz' },
    { name: 'cores', text: '8' },
    { name: 'memory', text: '16.6 GB' },
    { name: 'runner', text: 'unknown' },
  ]);
  const protocols = { 'HTTP/2 over TLS 1.3': 49, 'HTTP/1.1': 1 };
  assert.deepEqual(
    machineRows({ ...record(), protocols }).find(({ name }) => name === 'protocol'),
    { name: 'protocol', text: 'HTTP/1.1, HTTP/2 over TLS 1.3' },
  );
});

test('the network of the whole machine is no service’s own: only that of a container is', () => {
  const metric = (/** @type {string} */ unit, /** @type {number} */ value) => ({
    unit,
    value,
    samples: [],
    valid: true,
  });
  const process = { cpu_ratio_mean: metric('cores', 0.5), network_rx_bytes_per_second: metric('bytes/s', 12_300_000) };
  const container = { ...process, block_read_bytes_per_second: metric('bytes/s', 4096) };
  const table = (/** @type {Record<string, any>} */ services) =>
    partTable('Services', 'service', serviceParts(/** @type {any} */ ({ services })), metricNames);
  const titles = (/** @type {ReturnType<typeof table>} */ shown) => shown?.columns.map(({ title }) => title) ?? [];
  const processes = table({ app: { metrics: process }, db: { metrics: process } });
  assert.equal(titles(processes).filter((title) => title.startsWith('network')).length, 0);
  const mixed = table({ app: { metrics: process }, db: { metrics: container } });
  const at = titles(mixed).findIndex((title) => title.startsWith('network')) - 1;
  assert.deepEqual(
    mixed?.rows.map(({ name, cells }) => [name, cells[at]]),
    [
      ['app', '–'],
      ['db', '12.3'],
    ],
  );
});

test('the course of the first round says so where another was much slower', () => {
  const chart = (/** @type {(number | null)[]} */ samples) => {
    const one = record();
    Object.assign(one.metrics.latency_ms_p95, { samples });
    const { note, summary } = /** @type {Chart} */ (timeline(/** @type {any} */ ({ record: one })));
    return { note, summary };
  };
  const said = 'round 2 was the slowest: p95 170 ms, in the first 60.0 ms';
  const slow = chart([60, 170, 100]);
  assert.equal(slow.note, said);
  assert.ok(slow.summary.endsWith(`; ${said}.`), slow.summary);
  for (const samples of [[60, 89, null], [170, 60], [60], [null, 170], []]) assert.equal(chart(samples).note, '');
});

test('what a script measured has a table, and lines of the CSV that say what they are of', () => {
  const of = (/** @type {string} */ unit, /** @type {number | null} */ value, valid = true) => ({
    unit,
    direction: null,
    value,
    samples: [value],
    count: 3,
    valid,
    reason: valid ? null : 'no-load',
  });
  const own = /** @type {any} */ ({
    pay_ms: { type: 'trend', of: 'window', count: 3, metrics: { p50: of('ms', 1.5), p95: of('ms', 2, false) } },
    latency_ms_p50: { type: 'counter', of: 'run', count: null, metrics: { total: of('1', 1200) } },
  });
  const table = scriptTable({ script_metrics: own });
  assert.deepEqual(
    table?.columns.map(({ title }) => title),
    ['metric', 'of', 'count', 'p50', 'p95', 'total'],
  );
  assert.deepEqual(
    table?.rows.map(({ name, cells }) => [name, ...cells]),
    [
      ['pay_ms', 'the window', '3', '1.50 ms', '⊘', '–'],
      ['latency_ms_p50', 'the whole run', '–', '–', '–', '1,200'],
    ],
  );
  const lines = recordCsv({ ...record(), script_metrics: own }).split('\r\n');
  assert.ok(lines.includes('script,pay_ms,p50,ms,1.5,3,true,,1.5'));
  assert.ok(lines.includes('"script, whole run",latency_ms_p50,total,1,1200,3,true,,1200'));
  assert.equal(scriptTable({}), null);
});
