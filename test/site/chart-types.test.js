import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compile } from 'vega-lite';
import { declaredCharts } from '../../dist/site/charts/declared.js';
import { draw } from '../../dist/site/charts/draw.js';
import { prepare } from '../../dist/site/charts/prepare.js';
import { resources } from '../../dist/site/charts/resources.js';
import { usersChart } from '../../dist/site/charts/users-chart.js';
import { metricNames as names } from '../../dist/site/model/metric-names.js';
import { root } from '../support/cli.js';
import { fullRecord } from '../support/site/declared-suite.js';
import { recordsOf } from '../support/site/synthetic-records.js';

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(join(root, 'site', 'assets', 'charts', name), 'utf8'));

/** Made-up cases as the site has them: two environments, the second with all that records may have. */
const entries = recordsOf(['alpha'], 6, 'v1', 0)
  .flatMap((record) => [record, fullRecord(record)])
  .map((record) => /** @type {any} */ ({ record, version: 'v1', environment: record.environment, case: record.case }));
const at = (/** @type {number} */ rate, /** @type {string} */ environment) =>
  entries.filter((entry) => entry.record.values.rate === rate && (!environment || entry.environment === environment));

/**
 * The charts of a wish, with their data open to look at.
 * @param {any} wish @param {any[]} [of] @returns {any[]}
 */
const charts = (wish, of = entries.filter(({ record }) => record.scenario === 'hello')) =>
  declaredCharts(wish, of, names, ({ version }) => version);

/** Draws a chart as the site does, and fails where Vega-Lite warns. @param {any} chart */
async function drawn({ file, patch, data }) {
  const { drawn: still, live } = prepare(read(`${file}.vl.json`), read('theme.json'), patch);
  const warn = (/** @type {string[]} */ ...texts) => assert.fail(texts.join(' '));
  const logger = /** @type {any} */ ({
    warn,
    info: () => logger,
    debug: () => logger,
    error: warn,
    level: () => logger,
  });
  const [vega] = [still, live].map((spec) => JSON.stringify(compile(/** @type {any} */ (spec), { logger }).spec));
  return draw(vega, data);
}

describe('a histogram', () => {
  it('has shares that add up, in bins that all cases share, and is as the quantiles are', async () => {
    const [chart] = charts({ type: 'histogram', series: 'environment' }, at(1000, ''));
    const [one, other] = chart.data.bins;
    assert.deepEqual(one.from, other.from);
    assert.ok(one.from.length >= 20);
    assert.ok(Math.abs(one.share.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b) - 100) < 0.5);
    const { distribution } = at(1000, 'single')[0].record;
    const middle = distribution.values[distribution.p.indexOf(50)];
    const bin = one.to.findIndex((/** @type {number} */ to) => to > middle);
    assert.ok(one.below[bin] >= 50 && (one.below[bin - 1] ?? 0) <= 50);
    assert.equal(one.below.at(-1), 100);
    assert.match(chart.about, /101 quantiles/);
    assert.match(await drawn(chart), /<svg/);
  });

  it('takes requests of no measurable time, and all that took the same', async () => {
    const [{ record, ...rest }] = at(1000, 'single');
    for (const values of [
      [0, 0, 4],
      [2, 2, 2],
    ]) {
      const same = { ...record, distribution: { p: [0, 50, 100], values, count: 100, error: 0 } };
      const [chart] = charts({ type: 'histogram' }, [{ ...rest, record: same }]);
      assert.equal(chart.data.bins[0].below.at(-1), 100);
      assert.doesNotMatch(await drawn(chart), /NaN|Infinity/);
    }
  });
});

describe('a distribution of several cases', () => {
  it('has a curve each, and says which do not count', async () => {
    const [chart] = charts({ type: 'distribution', series: 'rate' });
    assert.deepEqual(
      chart.key.slice(0, 2).map((/** @type {any} */ { text }) => text),
      ['rate 1,000, single', 'rate 1,000, cluster'],
    );
    assert.match(chart.note, /These do not count: rate 4,000 \(saturated\)/);
    assert.match(await drawn(chart), /var\(--s8\)/);
  });
});

describe('a chart over time', () => {
  it('has a panel for each unit, with faults and what is not measured shaded', async () => {
    const y = ['latency_ms_p50', 'latency_ms_p99', 'throughput_rps'];
    const [latency, load, ...others] = charts({ type: 'time', title: 'Failing', y }, at(1000, 'cluster'));
    assert.deepEqual([latency.title, load.title, others], ['Failing: latency, ms', 'Failing: throughput', []]);
    assert.deepEqual(
      latency.key.map((/** @type {any} */ { text }) => text),
      ['latency p50', 'latency p99', 'not measured', 'fault'],
    );
    assert.deepEqual(latency.data.spans, [{ from: [0, 10.2], to: [2, 12.4], kind: ['excluded', 'fault'] }]);
    assert.equal(latency.patch.fields.v.scale.type, 'log');
    assert.match(await drawn(latency), /fill="var\(--fault\)" stroke="var\(--limit\)"/);
    assert.doesNotMatch(await drawn(load), /NaN/);
  });

  it('has a line for each service, case, request or query', () => {
    const texts = (/** @type {any} */ wish, /** @type {any[]} */ of) =>
      charts({ type: 'time', ...wish }, of)[0].data.lines.map((/** @type {any} */ { who }) => who);
    assert.deepEqual(texts({ y: 'cpu_ratio', series: 'environment' }, at(1000, '')), ['single, app', 'cluster, app']);
    assert.deepEqual(texts({ y: 'requests_rps', by: 'request' }, at(1000, 'cluster')), ['GET /hello', 'GET /other ']);
    const [heap] = charts(
      { type: 'time', y: 'heap_bytes_mean', reference_line: 2e8, reference_line_title: '-Xmx' },
      at(1000, 'cluster'),
    );
    assert.equal(heap.patch.fields.v.title, 'heap_bytes_mean, MB');
    assert.deepEqual(heap.data.rules, [{ value: [200], reference_line: ['-Xmx'] }]);
    assert.equal(heap.data.lines[0].v[0], 100);
    assert.deepEqual(charts({ type: 'time', y: 'heap_bytes_mean' }, at(1000, 'single')), [], 'not known of these');
    const [{ record, ...rest }] = at(1000, 'cluster');
    const unknown = { ...record.timeline, queries: { heap_bytes_mean: record.timeline.t.map(() => null) } };
    const empty = [{ ...rest, record: { ...record, timeline: unknown } }];
    assert.deepEqual(charts({ type: 'time', y: 'heap_bytes_mean' }, empty), [], 'an empty panel tells nothing');
  });
});

describe('a chart of values', () => {
  it('never joins cases that differ in more than x', () => {
    const [chart] = charts({ x: 'rate', y: 'throughput_rps' });
    assert.deepEqual(
      chart.key.map((/** @type {any} */ { text }) => text),
      ['single', 'cluster'],
    );
  });

  it('has bars for scenarios and environments, and a reference line across them', async () => {
    const of = entries.filter(({ record }) => record.values.rate === 1000 || record.values.cpuTime === 0);
    const [chart] = charts({ type: 'bar', x: 'scenario', y: 'throughput_rps', reference_line: 500 }, of);
    assert.deepEqual(
      chart.key.map((/** @type {any} */ { text }) => text),
      ['single', 'cluster', '500 responses/s'],
    );
    assert.match(await drawn(chart), />hello<.*>cpu.*time</s);
    const [other] = charts({
      type: 'bar',
      x: 'environment',
      y: 'memory_bytes_max',
      series: 'rate',
      reference_line: 1e8,
    });
    assert.equal(other.data.rules[0].value[0], 100, 'a reference line is in the unit of records, the axis in MB');
  });

  it('has x = y where x has numbers', async () => {
    const [chart] = charts({ x: 'rate', y: 'throughput_rps', reference_line: 'x=y' });
    assert.deepEqual(chart.data.diagonal, [{ x: [1000, 4000], y: [1000, 4000] }]);
    assert.match(await drawn(chart), /<svg/);
    assert.throws(
      () => charts({ type: 'bar', x: 'environment', y: 'throughput_rps', reference_line: 'x=y' }),
      /its x is not a number/,
    );
  });

  it('takes the requests of each case apart', async () => {
    const wish = { type: 'bar', x: 'request', y: 'share', by: 'request' };
    const [chart] = charts({ ...wish, title: 'Mix' }, at(1000, 'cluster'));
    assert.deepEqual(
      chart.table.rows.map((/** @type {string[]} */ [name, value]) => [name, value]),
      [
        ['GET /hello', '100'],
        ['GET /other ', '25'],
      ],
    );
    assert.equal(chart.patch.fields.y.title, 'share of the requests, %');
    assert.match(await drawn(chart), /GET/);
    const [lines] = charts({ x: 'rate', y: 'latency_ms_p95', by: 'request' });
    assert.deepEqual(
      lines.key.map((/** @type {any} */ { text }) => text),
      ['single, GET /hello', 'cluster, GET /hello', 'cluster, GET /other '],
    );
  });

  it('says what it lacks', () => {
    assert.throws(() => charts({ title: 'A', x: 'rate' }), /the chart "A" has no y/);
    assert.throws(() => charts({ y: 'throughput_rps' }), /the chart of type "line" has no x/);
  });
});

describe("a record's page", () => {
  it('shows users from the slowest to the fastest, with what was expected of them', async () => {
    const chart = /** @type {any} */ (usersChart(at(1000, 'cluster')[0].record));
    assert.deepEqual(chart.data.users, [{ user: [2, 1], rate: [0.95, 1] }]);
    assert.deepEqual(
      chart.data.rules.map((/** @type {any} */ { value }) => value),
      [[1], [0.9]],
    );
    assert.match(await drawn(chart), /var\(--limit\)/);
    assert.equal(usersChart(at(1000, 'single')[0].record), null);
  });

  it('has a panel for what its record knows, and no empty one', async () => {
    const [full, flat] = ['cluster', 'single'].map(
      (environment) => /** @type {any} */ (resources(at(1000, environment)[0])),
    );
    assert.deepEqual(
      [full.patch.panels, flat.patch.panels],
      [
        ['users', 'network', 'memory'],
        ['network', 'memory'],
      ],
    );
    const {
      machine,
      received_bytes_per_second: _,
      sent_bytes_per_second: __,
      ...older
    } = at(1000, 'single')[0].record.timeline;
    const old = /** @type {any} */ (resources(/** @type {any} */ ({ record: { timeline: older } })));
    assert.deepEqual(old.patch.panels, ['memory']);
    for (const chart of [full, flat, old]) assert.doesNotMatch(await drawn(chart), /NaN/);
  });
});
