import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ownDrawer } from '../../dist/site/charts/custom/drawing.js';
import { lookAt } from '../../dist/suite/vega-lite/rules.js';
import { readChartFile } from '../../dist/suite/vega-lite/spec-file.js';
import { rowsOf } from '../../site/assets/js/rows.js';
import { folderOf, root } from '../support/cli.js';
import { executablePath, launch, openPage } from '../support/site/browser.js';
import { build, built, temporarySuite } from '../support/site/build.js';

const fixture = join(root, 'test/fixtures/own-charts');

/** Adds the charts of the fixture to the first system of a synthetic suite. @param {string} folder */
function addCharts(folder) {
  const system = join(folder, 'specs', 'alpha');
  cpSync(join(fixture, 'charts'), join(system, 'charts'), { recursive: true });
  writeFileSync(join(system, 'charts', 'large.vl.json'), ' '.repeat(100_001));
  appendFileSync(join(system, 'spec.toml'), readFileSync(join(fixture, 'charts.toml'), 'utf8'));
}

/** A figure of a page. @param {string} html @param {string} title as HTML */
function figureOf(html, title) {
  const at = html.indexOf(`<figcaption>${title}`);
  assert.notEqual(at, -1, `there is a chart ${title}`);
  const figure = html.slice(html.lastIndexOf('<figure', at), html.indexOf('</figure>', at));
  const data = JSON.parse(figure.split('<script type="application/json">')[1].split('</script>')[0]);
  return { figure, data };
}

describe('charts that a spec brings with it', () => {
  const folder = temporarySuite({ systems: 1, cases: 6, versions: 2, fresh: false });
  /** @type {Awaited<ReturnType<typeof build>>} */
  let result;
  let page = '';
  before(async () => {
    addCharts(folder);
    result = await build(folder);
    page = built(folder, 'systems/alpha.html');
  });

  it('are drawn from the records, under their title, described and with their numbers', () => {
    const { figure, data } = figureOf(page, 'Rounds &lt;b&gt;&amp;');
    assert.match(figure, /<svg width="368" height="254"/);
    assert.match(figure, /aria-label="Each round by itself &lt;b&gt;&amp;\."/);
    assert.match(figure, /<th scope="col" class="number">latency p95, ms<\/th>/);
    const record = JSON.parse(built(folder, 'versions/v1.1/alpha/single/hello,rate=1000.json'));
    const rows = rowsOf(data.samples).filter(({ rate }) => rate === 1000);
    assert.deepEqual(
      rows.map(({ round, latency_ms_p95: p95 }) => [round, p95]),
      record.metrics.latency_ms_p95.samples.map((/** @type {number} */ value, /** @type {number} */ i) => [
        i + 1,
        Number(value.toPrecision(4)),
      ]),
    );
    const [{ who, version, system, environment, scenario, case: name, verdict, latency_ms_p95_unit: unit }] = rows;
    assert.deepEqual(
      [who, version, system, environment, scenario, name, unit],
      ['rate 1,000', 'v1.1', 'alpha', 'single', 'hello', 'hello,rate=1000', 'ms'],
    );
    assert.equal(verdict, record.verdict);
  });

  it('get what does not count as nothing, and say so', () => {
    const { figure, data } = figureOf(page, 'Every version');
    const out = rowsOf(data.cases).filter(({ latency_ms_p95: p95 }) => p95 === null);
    assert.ok(out.length > 0, 'there is a saturated case');
    assert.match(figure, /⊘ Left out, for it does not count/);
    assert.deepEqual([...new Set(rowsOf(data.cases).map(({ version }) => version))], ['v1.0', 'v1.1']);
  });

  it('get what is known over time, what is shaded, and the latencies, by second, service and percentile', () => {
    const { figure, data } = figureOf(page, 'All datasets');
    assert.deepEqual(Object.keys(data).sort(), ['quantiles', 'spans', 'timeline']);
    const timeline = rowsOf(data.timeline);
    const [first] = timeline.filter(({ of }) => of === '');
    assert.equal(typeof first.throughput_rps, 'number');
    assert.equal(first.cpu_ratio, null);
    assert.ok(timeline.some(({ of, cpu_ratio: cpu }) => of === 'app' && typeof cpu === 'number'));
    assert.ok(timeline.some(({ measured }) => measured) && timeline.some(({ measured }) => !measured));
    assert.ok(rowsOf(data.spans).every(({ from, to, kind }) => from < to && kind === 'excluded'));
    assert.ok(rowsOf(data.quantiles).every(({ p, latency_ms: latency }) => p < 100 && latency > 0));
    assert.match(figure, /<th scope="col" class="number">lowest</);
    assert.match(figure, /<th scope="row">[^<]*; app</);
  });

  it('are live in the browser', { skip: !executablePath && 'there is no Chromium' }, async () => {
    const browser = await launch();
    after(() => browser.close());
    const url = pathToFileURL(join(folder, 'public', 'systems', 'alpha.html')).href;
    const { page: opened, troubles } = await openPage(browser, url, { address: 'http://127.0.0.1/' });
    for (const title of ['Rounds', 'Every version', 'All datasets']) {
      const figure = opened.locator('figure.chart', { hasText: title }).first();
      const before = await figure.boundingBox();
      await figure.hover({ timeout: 10_000 });
      await figure.locator('.picture > div > svg').waitFor({ timeout: 10_000 });
      const [pictures, later] = [await figure.locator('.picture svg').count(), await figure.boundingBox()];
      assert.equal(pictures, 1);
      // Views beside each other are as large as their texts make them, which a browser measures and we estimate.
      if (title !== 'All datasets')
        assert.equal(Math.round(later?.height ?? 0), Math.round(before?.height ?? 1), title);
    }
    assert.deepEqual(troubles, []);
  });

  it('that cannot be drawn are named on the page and by the build, with their reason; the rest is drawn', () => {
    assert.equal(result.code, 2);
    for (const reason of [
      'there is no chart file charts/gone.vl.json',
      'charts/url.vl.json has "url"',
      'charts/broken.vl.json is not JSON: .+',
      'charts/expression.vl.json: .*nosuchfunction.*',
      'charts/odd.vl.json: .+',
      'the chart "Nothing has it" asks for recovery_ms_max, which none of its records has',
      'charts/large.vl.json has \\d+ bytes, and a chart file has 100000 at the most',
    ]) {
      assert.match(result.err, new RegExp(`^left out: specs/alpha/spec\\.toml: .*${reason}`, 'mi'));
    }
    assert.match(page, /<li><strong>charts\/url\.vl\.json<\/strong>: charts\/url\.vl\.json has &#34;url&#34;<\/li>/);
    assert.doesNotMatch(page, /example\.com\/numbers/);
  });

  it('are not drawn again', async () => {
    const { out } = await build(folder);
    assert.match(out, / 0 charts drawn/);
    assert.match(figureOf(built(folder, 'systems/alpha.html'), 'Rounds').figure, /<svg width="368"/);
  });
});

describe('a chart file', () => {
  const cases = { data: { name: 'cases' }, mark: 'point' };
  /** @type {Record<string, [any, RegExp]>} */
  const refused = {
    'that is a list': [[], /a JSON object/],
    'for Vega': [{ $schema: 'https://vega.github.io/schema/vega/v6.json', marks: [] }, /not for Vega-Lite/],
    'without a view': [{ data: { name: 'cases' } }, /none of mark, layer/],
    'without data': [{ mark: 'bar' }, /takes no dataset/],
    'with data from elsewhere': [{ mark: 'bar', data: { url: 'https://example.com/x.csv' } }, /has "url"/],
    'with values': [{ mark: 'bar', data: { values: [1] } }, /data of its own/],
    'with datasets': [{ ...cases, datasets: { cases: [1] } }, /data of its own/],
    'with a lookup elsewhere': [
      { ...cases, transform: [{ lookup: 'a', from: { data: { url: 'x' }, key: 'a' } }] },
      /has "url"/,
    ],
    'with a sphere': [{ mark: 'bar', data: { sphere: true } }, /makes data by "sphere"/],
    'with a link in its configuration': [{ ...cases, config: { point: { href: 'x' } } }, /has "href"/],
    'with pictures': [{ ...cases, layer: [{ mark: { type: 'image' } }] }, /mark "image"/],
    'with an input': [{ ...cases, params: [{ name: 'a', bind: { input: 'range' } }] }, /binds a parameter/],
    'with a dataset that there is not': [{ ...cases, data: { name: 'rows' } }, /takes the dataset "rows"/],
    'nested without end': [{ ...cases, layer: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) }, /nested deeper/],
  };
  for (const [name, [chart, message]] of Object.entries(refused)) {
    it(`${name} is refused`, () =>
      assert.match(
        lookAt(chart)
          .faults.map((fault) => fault.message)
          .join('\n'),
        message,
      ));
  }
  it('may have parameters, expressions and metadata', () => {
    const chart = {
      ...cases,
      usermeta: { url: 'x' },
      params: [
        { name: 'zoom', select: 'interval', bind: 'scales' },
        { name: 'a', expr: '1 + 1' },
      ],
    };
    assert.deepEqual(lookAt(chart).faults, []);
  });
  it('that a link brings in from outside of the folder is refused', async () => {
    const folder = await folderOf({ 'other.vl.json': '{}', 'x/spec.toml': '' });
    assert.match(readChartFile(join(folder, 'x'), '../other.vl.json').faults[0].message, /not in the folder/);
  });
});

describe('drawing a chart file', () => {
  // Loading Vega takes as long as the machine is busy: what is to be drawn has time.
  const drawer = ownDrawer({ seconds: 200, megabytes: 128 });
  const hasty = ownDrawer({ seconds: 3 });
  after(() => Promise.all([drawer.close(), hasty.close()]));
  const data = JSON.stringify({ cases: [{ x: [1, 2, 3] }] });
  const chartOf = (/** @type {string} */ calculate) => ({
    data: { name: 'cases' },
    transform: [{ calculate, as: 'y' }],
    mark: 'point',
    encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'y', type: 'quantitative' } },
  });
  it('ends when it takes too long or too much, and the next is drawn', async () => {
    const slow = 'test(regexp("^(a+)+$"), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!") ? 1 : 0';
    await assert.rejects(hasty.draw(chartOf(slow), data), { message: 'it is not drawn within 3 s' });
    await assert.rejects(drawer.draw(chartOf('length(sequence(0, 1e9))'), data), /it takes more than 128 MB of memory/);
    const { svg, vega } = await drawer.draw(chartOf('datum.x * 2'), data);
    assert.match(svg, /^<svg /);
    assert.equal(JSON.parse(vega).$schema, 'https://vega.github.io/schema/vega/v6.json');
  });
  it('refuses what only drawing tells', async () => {
    await assert.rejects(drawer.draw(chartOf('nosuchfunction(1)'), data), /nosuchfunction/i);
  });
});
