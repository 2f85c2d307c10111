import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { trialsFolder } from '../../dist/records/calibration/trials.js';
import { normals } from '../support/draws.js';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { parseCsv } from '../support/site/parse-csv.js';
import { trialOf } from '../support/trials.js';

const gate = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'];

/**
 * A trial of drawn blocks.
 * @param {() => number} draw
 * @param {number} n
 * @param {{ condition?: string, env?: Record<string, string>, factor?: number }} [how]
 */
function trial(draw, n, { factor = 1, ...how } = {}) {
  const side = (/** @type {number} */ times) =>
    Object.fromEntries(gate.map((name) => [name, Array.from({ length: 6 }, () => times * Math.exp(0.01 * draw()))]));
  return trialOf(n, { base: side(1), head: side(factor), ...how });
}

/** @param {string} folder @param {ReturnType<typeof trial>[]} trials */
function keep(folder, trials) {
  const place = trialsFolder({ root: folder }, 'alpha');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, '20260301T101500Z-7.ndjson'), trials.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return place;
}

describe('the page of a calibration', () => {
  const folder = temporarySuite({ systems: 2, cases: 1, versions: 1 });
  const draw = normals(3);
  const place = keep(folder, [
    ...Array.from({ length: 8 }, (_, n) => trial(draw, n)),
    ...Array.from({ length: 4 }, (_, n) =>
      trial(draw, 10 + n, { condition: 'more', env: { LOOPS: '1' }, factor: 1.3 }),
    ),
  ]);
  /** @type {Awaited<ReturnType<typeof build>>} */
  let outcome;
  before(async () => {
    outcome = await build(folder);
  });

  it('is there for the system that has trials, and its page leads to it', () => {
    assert.equal(outcome.code, 0, outcome.err);
    assert.deepEqual(
      builtFiles(folder).filter((name) => name.includes('calibration.')),
      ['systems/alpha/calibration.csv', 'systems/alpha/calibration.html', 'systems/alpha/calibration.json'],
    );
    assert.match(
      built(folder, 'systems/alpha.html'),
      /<a href="[^"]*systems\/alpha\/calibration\.html">Calibration<\/a>/,
    );
    assert.doesNotMatch(built(folder, 'systems/beta.html'), />Calibration</);
  });

  it('has the numbers of the trials, escaped, and draws what is found', () => {
    const html = built(folder, 'systems/alpha/calibration.html');
    const { conditions, unchanged } = JSON.parse(built(folder, 'systems/alpha/calibration.json'));
    const [same, more] = conditions;
    assert.deepEqual([same.trials, more.trials, unchanged.at_zero.of], [8, 4, 8]);
    assert.equal(more.judged.verdicts.fail, 4);
    assert.ok(Math.abs(more.ratios.latency_ms_p50.ratio / 1.3 - 1) < 0.03);
    assert.match(html, new RegExp(`<td class="number">${unchanged.at_zero.count} of 8</td>`));
    assert.match(html, /more \(LOOPS=1\)/);
    assert.match(html, /A &lt;b&gt;CPU&lt;\/b&gt;/);
    assert.match(html, /role="img" aria-label="Share of trials called worse/);
    const [first] = /<p class="lead">[\s\S]*?<\/figure>/.exec(html) ?? [];
    assert.match(String(first), /a duet failed 0 of 8 trials/);
    assert.match(
      String(first),
      /aria-label="A\/A[^"]*, nothing changed: 0 of 8 failed[^"]*; more, [^:"]*: 4 of 4 found/,
    );
    const rows = parseCsv(built(folder, 'systems/alpha/calibration.csv'));
    assert.ok(rows.some((row) => Object.values(row).includes(`${more.judged.verdicts.fail}`)));
  });

  it('stands on the page about the method, with what it found', () => {
    const [, list] = /<h2 id="calibration">Calibration<\/h2>([\s\S]*?)<\/ul>/.exec(built(folder, 'method.html')) ?? [];
    const { summary } = JSON.parse(built(folder, 'systems/alpha/calibration.json'));
    assert.deepEqual(
      [...list.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href),
      ['./systems/alpha/calibration.html'],
    );
    assert.ok(summary.length > 20 && list.includes(summary.replaceAll("'", '&#39;')), list);
  });

  it('a damaged trial is named, the page left out, and the build says so', async () => {
    writeFileSync(join(place, '20260302T101500Z-7.ndjson'), '{');
    const { code, err } = await build(folder);
    assert.notEqual(code, 0);
    assert.match(err, /20260302T101500Z-7\.ndjson is truncated or damaged/);
    assert.ok(!builtFiles(folder).includes('systems/alpha/calibration.html'));
    assert.doesNotMatch(built(folder, 'method.html'), /<h2 id="calibration">/);
  });
});
