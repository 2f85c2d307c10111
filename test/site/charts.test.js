import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compile } from 'vega-lite';
import { compactSvg } from '../../dist/site/charts/compact-svg.js';
import { draw } from '../../dist/site/charts/draw.js';
import { history } from '../../dist/site/charts/history.js';
import { latencyDistribution } from '../../dist/site/charts/latency-distribution.js';
import { prepare } from '../../dist/site/charts/prepare.js';
import { ratios } from '../../dist/site/charts/ratios.js';
import { sweep } from '../../dist/site/charts/sweep-chart.js';
import { timeline } from '../../dist/site/charts/timeline.js';
import { metricNames as names } from '../../dist/site/model/metric-names.js';
import { tryThreshold } from '../../dist/suite/cases/thresholds.js';
import { rowsOf } from '../../site/assets/js/rows.js';
import { root } from '../support/cli.js';
import { recordsOf } from '../support/site/synthetic-records.js';

/** @import { Chart } from '../../dist/site/charts/chart.js' */

const folder = join(root, 'site', 'assets', 'charts');
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const theme = read('theme.json');
const nameOf = (/** @type {any} */ { version }) => version;

/** Made-up records as the site has them. @param {string} version @param {number} age @param {number} [cases] */
const entries = (version, age, cases = 6) =>
  recordsOf(['alpha'], cases, version, age).map(
    (record) => /** @type {any} */ ({ record, version, environment: 'single', system: 'alpha', case: record.case }),
  );

/**
 * A chart that there must be, with its data open to look at.
 * @param {Chart | null} chart
 */
const seen = (chart) => /** @type {any} */ (chart);

/** Vega-Lite to Vega, and what Vega-Lite did not like. @param {any} chart */
function compiled(chart) {
  /** @type {string[]} */
  const warnings = [];
  const warn = (/** @type {string[]} */ ...texts) => {
    warnings.push(texts.join(' '));
    return logger;
  };
  const logger = { warn, info: () => logger, debug: () => logger, error: () => logger, level: () => logger };
  return { vega: JSON.stringify(compile(chart, { logger: /** @type {any} */ (logger) }).spec), warnings };
}

describe('chart files', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.vl.json'))) {
    it(`${file} has no data, and Vega-Lite takes both of its specs without a warning`, () => {
      const chart = read(file);
      assert.doesNotMatch(JSON.stringify(chart), /"data":\{(?!"name")/);
      const { drawn, live } = prepare(chart, theme);
      for (const one of [drawn, live]) assert.deepEqual(compiled(one).warnings, []);
    });
  }

  it('ask for a pointer in the live spec only', () => {
    const { drawn, live } = prepare(read('timeline.vl.json'), theme);
    assert.doesNotMatch(JSON.stringify(drawn), /tooltip|nearest/);
    assert.equal(compiled(live).vega.match(/"type":"voronoi"/g)?.length, 3);
  });

  it('take titles and scales by field', () => {
    const patch = { fields: { y: { title: 'cost, ms' } }, mark: { type: 'bar' } };
    const { drawn } = prepare(read('sweep.vl.json'), theme, patch);
    assert.equal(drawn.layer[3].encoding.y.title, 'cost, ms');
    assert.ok(drawn.layer[3].encoding.y.axis.labelExpr, 'what the file says stays');
    assert.equal(drawn.layer[3].mark.type, 'bar');
  });
});

describe('drawing', () => {
  it('gives the same picture whatever was drawn before it', async () => {
    const { vega } = compiled(prepare(read('timeline.vl.json'), theme).drawn);
    const [first, other] = [0, 4].map((i) => seen(timeline(entries('v1', 0)[i])).data);
    other.latency.reverse();
    const alone = await draw(vega, first);
    const different = await draw(vega, other);
    assert.notEqual(different, alone);
    assert.equal(await draw(vega, first), alone);
  });

  it('shows text as text', async () => {
    const { vega } = compiled(prepare(read('history.vl.json'), theme).drawn);
    const version = ['<b>"&'];
    const points = [{ slot: 1, version, stretch: [0], y: [1], low: [1], high: [1] }];
    const svg = await draw(vega, { versions: [{ version }], events: [], points });
    assert.match(svg, />&lt;b&gt;"?(&quot;)?&amp;</);
    assert.doesNotMatch(svg, /<b>/);
  });

  it('drops from an SVG only what cannot be seen', () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="10" height="20" viewBox="0 0 10 20">' +
      '<g transform="translate(0,0)">' +
      '<path class="background" aria-hidden="true" d="M0,0h1v1Z"/><g><g role="x"></g></g>' +
      '<path d="M0.123456,1.98e-7L-3.25,4" stroke="red" opacity="1"/><text opacity="0">gone</text>' +
      '<text aria-label="no">1.23456 class="x"</text></g></svg>';
    assert.equal(
      compactSvg(svg),
      '<svg width="10" height="20" viewBox="0 0 10 20">' +
        '<path d="M0.1,0L-3.2,4" stroke="red"/><text>1.23456 class="x"</text></svg>',
    );
  });

  it('repeats in rows what is not a list', () => {
    assert.deepEqual(
      rowsOf([
        { who: 'app', t: [0, 1] },
        { who: 'k6', t: [5] },
        { from: 2, to: 3 },
      ]),
      [
        { who: 'app', t: 0 },
        { who: 'app', t: 1 },
        { who: 'k6', t: 5 },
        { from: 2, to: 3 },
      ],
    );
  });
});

describe('what charts show', () => {
  it('a distribution ends where less than one request is beyond', () => {
    const [entry] = entries('v1', 0);
    entry.record.distribution.count = 1000;
    const [{ p }] = seen(latencyDistribution(entry, null, nameOf)).data.quantiles;
    assert.equal(Math.max(...p), 99.9);
  });

  it('a distribution has the thresholds on percentiles of all requests', () => {
    const [entry] = entries('v1', 0);
    const [one] = entry.record.thresholds;
    const asking = (/** @type {string} */ expr) => ({ ...one, expr, ...tryThreshold(expr) });
    const ofOne = { ...asking('p(99)<80'), selector: { name: 'GET /' } };
    entry.record.thresholds = [
      one,
      ...['avg<20', 'p(99.9) <= 2e2', 'med<5E1', 'p(90) > 1', 'max<=.5e3'].map(asking),
      ofOne,
    ];
    assert.deepEqual(seen(latencyDistribution(entry, null, nameOf)).data.limits, [
      {
        p: [95, 99.9, 50],
        latency: [50, 200, 50],
        threshold: ['p(95)<50', 'p(99.9) <= 2e2', 'med<5E1'],
      },
    ]);
  });

  it('latencies that do not count are said not to', () => {
    const [entry] = entries('v1', 0).filter(({ record }) => record.findings.length);
    assert.match(seen(latencyDistribution(entry, null, nameOf)).note, /do not count: saturated/);
  });

  it('a sweep has a line for each series, in the order of x, and says what it leaves out', () => {
    const wish = { x: 'rate', y: ['latency_ms_p50', 'latency_ms_p95'] };
    const chart = seen(sweep(wish, entries('v1', 0, 10).reverse(), names, nameOf));
    const places = chart.data.points.map((/** @type {any} */ { x }) => x);
    assert.deepEqual(places, [
      [1000, 2000, 3000],
      [1000, 2000, 3000],
    ]);
    assert.deepEqual(
      chart.key.map((/** @type {any} */ { text }) => text),
      ['latency p50', 'latency p95'],
    );
    assert.match(chart.note, /does not count: rate 6,000; rate 5,000; rate 4,000/);
  });

  it('bars of a sweep stand side by side, and zero has a place on a logarithmic scale', () => {
    const all = entries('v1', 0, 10).filter(({ record }) => 'cpuTime' in record.values);
    const y = ['latency_ms_p50', 'latency_ms_p95'];
    const bars = seen(sweep({ x: 'cpuTime', y, type: 'bar' }, all, names, nameOf));
    const { vega, warnings } = compiled(prepare(read('sweep.vl.json'), theme, bars.patch).drawn);
    assert.match(vega, /"xOffset"/);
    assert.deepEqual(warnings, []);
    const line = seen(sweep({ x: 'cpuTime', y: 'throughput_rps', scale: 'log' }, all, names, nameOf));
    assert.equal(line.patch.fields.x.scale.type, 'symlog');
  });

  it('by request, each request has a line or a bar of its own', () => {
    const [entry] = entries('v1', 0);
    const [one] = Object.values(entry.record.requests);
    const requests = { metadata: { ...one, weight: 70, share: 0.7 }, tarball: { ...one, weight: 30, share: 0.3 } };
    const both = entries('v1', 0)
      .filter(({ record }) => 'rate' in record.values)
      .map((each) => ({ ...each, record: { ...each.record, requests } }));
    const lines = seen(sweep({ x: 'rate', y: 'latency_ms_p95', by: 'request' }, both, names, nameOf));
    assert.deepEqual(
      lines.key.map((/** @type {any} */ { text }) => text),
      ['metadata', 'tarball'],
    );
    const bars = seen(sweep({ type: 'bar', x: 'request', y: 'share', by: 'request' }, both.slice(0, 1), names, nameOf));
    assert.deepEqual(
      bars.data.points.map((/** @type {any} */ { x, y }) => [x, y]),
      [
        [
          ['metadata', 'tarball'],
          [70, 30],
        ],
      ],
    );
  });

  it('a sweep of two units is not drawn', () => {
    const wish = { title: 'Both', x: 'rate', y: ['latency_ms_p50', 'throughput_rps'] };
    assert.throws(
      () => sweep(wish, entries('v1', 0), names, nameOf),
      /^Error: the chart "Both" mixes units: latency_ms_p50 is in ms, throughput_rps is in 1\/s; a y has one unit/,
    );
  });

  it('a history begins a new line where the definition or the machine changed', () => {
    const [first, second, third, fourth] = [0, 1, 2, 3].map((age) => entries(`v${age}`, age, 1)[0]);
    fourth.record.fingerprint.cores = 4;
    const chart = seen(history('latency_ms_p50', [first, second, third, fourth], names, nameOf, () => null));
    assert.deepEqual(chart.data.points[0].stretch, [0, 1, 1, 2]);
    assert.equal(chart.note, 'another definition from v1 on; another number of cores from v3 on');
    assert.equal(
      history('latency_ms_p50', [first], names, nameOf, () => null),
      null,
    );
  });

  it('a history leaves out another unit', () => {
    const [first, second, third] = [1, 2, 2].map((age, i) => entries(`v${i}`, age, 1)[0]);
    first.record.metrics.latency_ms_p50.unit = '1/s';
    const chart = seen(history('latency_ms_p50', [first, second, third], names, nameOf, () => null));
    assert.deepEqual(chart.data.points[0].version, ['v1', 'v2']);
  });

  it('a history has the tolerance around what the newest record was compared with', () => {
    const all = [1, 2, 3].map((age) => entries(`v${age}`, age, 1)[0]);
    const compared = (/** @type {string} */ baseline) => () => ({ baseline, base: 2, tolerance: 0.25 });
    const chart = seen(history('latency_ms_p50', all, names, nameOf, compared('v2')));
    assert.deepEqual(chart.data.bands, [{ slot: [1], version: ['v2'], until: ['v3'], from: [1.6], to: [2.5] }]);
    assert.match(chart.key.at(-1).text, /within its tolerance/);
    assert.deepEqual(seen(history('latency_ms_p50', all, names, nameOf, compared('gone'))).data.bands, []);
  });

  it('ratios are sorted with the most worse first, whichever way a metric goes, and shares are left out', () => {
    const row = /** @type {const} */ ({ scale: 'ratio', direction: 'lower', tolerance: 0.05, verdict: 'same' });
    const chart = seen(
      ratios(
        [
          { label: 'p50', metric: { ...row, ratio: 1.1, low: 1.05, high: 1.2, verdict: 'worse' } },
          {
            label: 'throughput',
            metric: { ...row, direction: 'higher', ratio: 0.8, low: 0.5, high: 1, verdict: 'unclear' },
          },
          { label: 'errors', metric: { ...row, scale: 'difference', ratio: 0.5, low: 0.4, high: 0.6 } },
          { label: 'memory', metric: { ...row, ratio: null, low: null, high: null, verdict: 'unclear' } },
        ],
        { title: 'Gated metrics', confidence: '99 % CI' },
      ),
    );
    const [rows] = chart.data.rows;
    assert.deepEqual(rows.label, ['~ throughput', '✕ p50']);
    assert.deepEqual(
      [rows.low, rows.change, rows.high],
      [
        [0, 5],
        [25, 10],
        [100, 20],
      ],
    );
    assert.deepEqual(
      [rows.band_low, rows.band_high],
      [
        [-4.762, -4.762],
        [5, 5],
      ],
    );
    assert.deepEqual(
      chart.table.rows[0],
      ['throughput', '−20.0 % [−50.0, 0.0]', 'unclear'],
      'the table has it as it is',
    );
    assert.equal(ratios([], { title: 'none', confidence: '99 % CI' }), null);
  });

  it('of many ratios those that changed most are drawn', () => {
    const metric = /** @type {const} */ ({
      scale: 'ratio',
      direction: 'lower',
      tolerance: 0.05,
      verdict: 'unclear',
      low: 0.5,
      high: 3,
    });
    const all = Array.from({ length: 70 }, (_, i) => ({
      label: `case ${i}`,
      metric: { ...metric, ratio: 1 + i / 100 },
    }));
    const chart = seen(ratios(all, { title: 'Gated metrics', confidence: '99 % CI' }));
    const [{ label }] = chart.data.rows;
    assert.deepEqual([label.length, label[0], label.at(-1)], [30, '~ case 69', '~ case 0']);
    assert.match(chart.note, /The 30 that changed most; 40 between them/);
  });
});
