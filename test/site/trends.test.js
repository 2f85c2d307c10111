// The pages that show every metric of a scenario over versions.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { metricNames as names } from '../../dist/site/model/metric-names.js';
import { trendPages, trendsLink } from '../../dist/site/pages/trends-page.js';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { recordsOf } from '../support/site/synthetic-records.js';

const system = /** @type {any} */ ({ name: 'alpha', title: 'Alpha', scenarios: [] });
/** What the page asks to be drawn. */
const draw = /** @type {any} */ (async (/** @type {any[]} */ charts) => charts);

/** @param {number} count of versions @param {(record: any, i: number) => void} [change] @returns {any} */
const overviewOf = (count, change = () => {}) => ({
  names,
  versions: Array.from({ length: count }, (_, i) => ({
    entries: recordsOf(['alpha'], 6, `v${i}`, i).map((record) => {
      change(record, i);
      const { version, environment, case: name } = record;
      return { record, version, environment, system: 'alpha', case: name, kept: true };
    }),
  })),
});

/** The first section of the first page. @param {any} overview */
async function sectionOf(overview) {
  const [{ model }] = await trendPages(system, overview, draw);
  return model.sections[0];
}

describe('every metric over versions', () => {
  it('is there for what was measured in several versions, and only for that', async () => {
    const [one, two] = [overviewOf(1), overviewOf(2)];
    assert.deepEqual(await trendPages(system, one, draw), []);
    const scenario = one.versions[0].entries[0].record.scenario;
    assert.equal(trendsLink('alpha', scenario, one), null);
    assert.equal(trendsLink('alpha', scenario, two)?.url, `/systems/alpha/trends/${scenario}.html`);
    assert.equal(trendsLink('alpha', 'never', two), null);
    const pages = await trendPages(system, two, draw);
    const scenarios = two.versions[0].entries.map((/** @type {any} */ { record }) => record.scenario);
    assert.deepEqual(
      pages.map(({ url }) => url),
      [...new Set(scenarios)].map((name) => `systems/alpha/trends/${name}`),
    );
  });

  it('names what is the same in each version, and draws the rest in the order of a record', async () => {
    const { charts, constant } = await sectionOf(overviewOf(3));
    const places = charts.map((/** @type {any} */ { title }) => title);
    assert.ok(places.indexOf('latency p50, ms') >= 0, places.join('; '));
    assert.ok(places.indexOf('latency p50, ms') < places.indexOf('latency p95, ms'), places.join('; '));
    const level = overviewOf(3, (record) => {
      record.metrics.latency_ms_p50 = { ...record.metrics.latency_ms_p50, value: 2, samples: [2, 2, 2] };
    });
    const without = await sectionOf(level);
    assert.deepEqual(without.constant, ['latency p50, ms', ...constant]);
    assert.equal(without.charts.length, charts.length - 1);
  });

  it('says once what all of its lines are', async () => {
    const { key, charts } = await sectionOf(overviewOf(3));
    assert.ok(key.length > 1);
    assert.ok(charts.some((/** @type {any} */ chart) => chart.key.length === 0));
    for (const { title, key: own, data } of charts) {
      assert.equal(data.points.length, own.length || key.length, title);
      assert.notDeepEqual(own, key, title);
    }
  });

  it('has the newest thirty versions', async () => {
    const [{ files, model }] = await trendPages(system, overviewOf(32), draw);
    const { versions } = model.sections[0].charts[0].data;
    assert.deepEqual(
      [versions[0].version.length, versions[0].version[0], versions[0].version.at(-1)],
      [30, 'v2', 'v31'],
    );
    assert.ok(!files.csv.includes('v1,') && files.csv.includes('v2,'));
  });
});

describe('the built pages of trends', () => {
  const folder = temporarySuite({ systems: 1, cases: 3, versions: 2 });
  before(async () => {
    const { code, err } = await build(folder);
    assert.equal(code, 0, err);
  });

  it('are where the page of the system leads to, and have their pictures', () => {
    const pages = builtFiles(folder, '.html').filter((name) => name.includes('/trends/'));
    assert.ok(pages.length > 0);
    const page = built(folder, 'systems/alpha.html');
    for (const name of pages) {
      assert.ok(page.includes(`${name.replace('systems/', '')}">Every metric over versions</a>`), name);
      assert.match(built(folder, name), /<div class="charts small"><figure class="chart" data-chart="trend[^"]*">/);
    }
  });
});
