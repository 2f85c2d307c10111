import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { chainsOf } from '../../dist/site/model/chains.js';
import { comparisonOf } from '../support/comparisons.js';
import { addDuet } from '../support/runs.js';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { commit, duetOf, keepDuet } from '../support/site/kept-duets.js';

/** A suite that has only duets: of four commits the third is 30 % slower, and a pull request leads away from the first. */
async function suiteOfDuets() {
  const folder = temporarySuite({ systems: 1, cases: 1, versions: 0, fresh: false });
  for (const i of [0, 1, 2, 3]) {
    const factor = i === 2 ? 1.3 : 1;
    keepDuet(
      folder,
      `main-${i + 1}`,
      await duetOf(i, [{ system: 'alpha', name: 'hello,rate=1000', worse: { latency_ms_p50: factor } }]),
    );
  }
  const pull = await comparisonOf([{ system: 'alpha', name: 'hello,rate=1000' }], {
    id: '20260209T101500Z-1',
    time: '2026-02-09T10:15:00.000Z',
    commits: { base: commit(1), head: commit(99) },
  });
  keepDuet(folder, 'pull', pull);
  return folder;
}

describe('a suite that has only duets', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await suiteOfDuets();
    const { code, err } = await build(folder);
    assert.equal(code, 0, err);
  });

  it('has a page for each, to which the first page leads, newest first, in the words of the terminal', () => {
    const home = built(folder, 'index.html');
    assert.deepEqual(
      [...home.matchAll(/<li><span class="verdict is-(\w+)".*?href="\.\/duets\/([\w-]+)\.html">([^<]*)<\/a>/gs)].map(
        ([, ...found]) => found,
      ),
      [
        ['pass', 'pull', 'Not slower than main (0123456789) by more than 2 to 10 %'],
        ['pass', 'main-4', `Not slower than main~1 &lt;b&gt; (${commit(3).slice(0, 10)}) by more than 2 to 10 %`],
        ['fail', 'main-3', home.match(/Latency p50 rose by 30\.\d %: [^<]*/)?.[0]],
        ['pass', 'main-2', `Not slower than main~1 &lt;b&gt; (${commit(1).slice(0, 10)}) by more than 2 to 10 %`],
        ['pass', 'main-1', `Not slower than main~1 &lt;b&gt; (${commit(0).slice(0, 10)}) by more than 2 to 10 %`],
      ],
    );
    assert.doesNotMatch(home, /Not measured yet/);
    for (const name of ['main-1', 'main-2', 'main-3', 'main-4', 'pull']) {
      assert.ok(builtFiles(folder).includes(`duets/${name}.html`));
      assert.equal(JSON.parse(built(folder, `duets/${name}.json`)).run.length, 18);
    }
    assert.match(
      built(folder, 'duets/main-3.html'),
      /<p class="facts kicker">Duet: main \(c{6}3[^<]*<\/p>\s*<h1 class="finding"><span class="verdict is-fail"[\s\S]*?Latency p50 rose by 30\.\d %/,
    );
  });

  it('has on the page of each what is certain, its interval, its blocks and the latencies of both sides', () => {
    const page = built(folder, 'duets/main-3.html');
    const row =
      /<tr><th scope="row">latency p50 <small>ms<\/small><\/th>\s*<td class="number">([^<]*)<\/td><td><span class="verdict is-(\w+)"[\s\S]*?<svg class="interval of-(\w+)"/.exec(
        page,
      );
    assert.match(row?.[1] ?? '', /^&#43;30\.\d % \[&#43;\d+\.\d, &#43;\d+\.\d\]$/);
    assert.deepEqual(row?.slice(2), ['worse', 'worse']);
    assert.match(page, /<th scope="rowgroup"[^>]*>One user<\/th>/);
    assert.match(page, /aria-label="latency p50, ms in 12 blocks: /);
    assert.match(page, /aria-label="Latency by percentile of head and base: p50 /);
    assert.match(page, /<strong>machine-shares<\/strong>/);
    assert.match(page, /Reproduce: <code>npx benchfolio duet main shop --seed 1<\/code>/);
    assert.doesNotMatch(built(folder, 'duets/main-2.html'), /block by block/);
  });

  it('has on the page of changes the duet that found one, with its commits and the metric over time', () => {
    const page = built(folder, 'changes.html');
    const [, section, ...others] = page.split('<section');
    assert.deepEqual(others, []);
    assert.match(section, /duets\/main-3\.html">main \(c{6}3[^<]*<\/a> <span class="verdict is-fail"/);
    assert.match(section, /<code>cccccc2\.\.cccccc3<\/code>/);
    assert.match(section, /<p>Latency p50 rose by 30\.\d %/);
    assert.match(
      section,
      /<span class="trend" role="img" aria-label="latency p50 over 4 duets: &#43;30\.\d % since the first\.">/,
    );
    assert.match(page, /<p>4 other duets found nothing better or worse for certain\.<\/p>/);
    const { changes, duets } = JSON.parse(built(folder, 'changes.json'));
    assert.deepEqual([changes.length, duets.length], [0, 5]);
    const found = duets.filter((/** @type {any} */ { metrics }) => metrics.length > 0);
    assert.deepEqual(
      found.map((/** @type {any} */ { duet, commits, metrics }) => [duet, commits.head, metrics[0].metric]),
      [['main-3', commit(3), 'latency_ms_p50']],
    );
  });

  it('has a system page with the verdicts, and the history of its commits with the step at its commit', () => {
    const page = built(folder, 'systems/alpha.html');
    assert.match(
      page,
      /<h2 id="commits-cccccc0-cccccc4">Over commits, <code>cccccc0<\/code> to <code>cccccc4<\/code><\/h2>\s*<p>4 duets/,
    );
    const [, list] = /id="commits-[\s\S]*?<ul class="happened">([\s\S]*?)<\/ul>/.exec(page) ?? [];
    assert.match(
      list,
      /is-worse[\s\S]*href="\.\.\/duets\/main-3\.html">Latency p50 &#43;30\.\d % \[[^<]*<\/a> <span class="facts">at <code>cccccc3<\/code>/,
    );
    assert.equal(list.match(/<li>/g)?.length, 1);
    assert.match(page, /aria-label="latency p50 from commit cccccc0 to cccccc4: &#43;30\.\d % \[/);
    assert.match(page, /class="facts">\s*latest: <a href="\.\.\/duets\/pull\.html">/);
    assert.match(built(folder, 'systems/alpha.svg'), /pass/);
  });

  it('leaves out what is damaged by name, and builds the rest', async () => {
    const damaged = join(folder, 'reports', 'duets', 'cut');
    mkdirSync(damaged);
    writeFileSync(join(damaged, 'comparison.json'), '{ "schema": 3');
    const { code, err } = await build(folder);
    rmSync(damaged, { recursive: true });
    assert.equal(code, 2);
    assert.match(err, /left out: reports\/duets\/cut\/comparison\.json: it is truncated or damaged/);
    assert.ok(builtFiles(folder).includes('duets/main-4.html'));
  });

  it('whose numbers are far from any that can be measured is built all the same', async () => {
    const wild = await duetOf(4, [{ system: 'alpha', name: 'hello,rate=1000' }]);
    for (const metric of wild.cases[0].metrics) {
      if (metric.blocks)
        metric.blocks.head = metric.blocks.head.map((/** @type {number} */ _, /** @type {number} */ i) =>
          i ? 1e300 : -1,
        );
      metric.high = 1e308;
    }
    keepDuet(folder, 'wild', wild);
    const { code, err } = await build(folder);
    rmSync(join(folder, 'reports', 'duets', 'wild'), { recursive: true });
    assert.equal(code, 0, err);
    assert.ok(builtFiles(folder).includes('duets/wild.html'));
  });

  it('has as many pages of duets as bench.toml says, the newest, and all of its history', async () => {
    writeFileSync(join(folder, 'bench.toml'), '[site]\nduets = 2\n');
    assert.equal((await build(folder)).code, 0);
    assert.deepEqual(
      builtFiles(folder).filter((path) => /^duets\/.*html$/.test(path)),
      ['duets/main-4.html', 'duets/pull.html'],
    );
    assert.match(built(folder, 'systems/alpha.html'), /<p>4 duets, each against/);
  });
});

describe('a chain', () => {
  it('names a duet that failed for what is in no line, and says nothing of what it did not look at', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 0, fresh: false });
    const one = { system: 'alpha', name: 'hello,rate=1000' };
    keepDuet(folder, 'a', await duetOf(0, [one]));
    keepDuet(folder, 'b', await duetOf(1, [{ ...one, missed: 'http_req_duration' }]));
    assert.equal((await build(folder)).code, 0);
    const part = () => built(folder, 'systems/alpha.html').split('id="commits-')[1].split('</section>')[0];
    assert.match(
      part(),
      /is-fail[\s\S]*?href="\.\.\/duets\/b\.html">http_req_duration p\(95\)&lt;100: 123 ms<\/a> <span class="facts">at <code>cccccc2</,
    );
    assert.doesNotMatch(part(), /no change/);
    rmSync(join(folder, 'reports', 'duets', 'b'), { recursive: true });
    keepDuet(folder, 'c', await duetOf(1, [one]));
    assert.equal((await build(folder)).code, 0);
    assert.match(part(), /in these lines\. No duet failed, and no change of these metrics is certain\./);
    keepDuet(folder, 'd', await duetOf(2, [{ ...one, errors: 0.0057 }]));
    assert.equal((await build(folder)).code, 0);
    assert.match(part(), /Undecided, or without a trustworthy measurement: 1 of them\. No duet failed/);
  });
});

describe('the last duet', () => {
  it('that is not kept has a page, and one that is kept has one alone', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 1 });
    const duet = await duetOf(20, [{ system: 'alpha', name: 'hello,rate=1000' }]);
    const place = addDuet(folder, duet);
    assert.equal((await build(folder)).code, 0);
    assert.match(
      built(folder, 'index.html'),
      /href="\.\/duets\/20260221T101500Z-1\.html">[^<]*<\/a>\s*<span class="facts">[^<]*<span class="tag">not kept<\/span>/,
    );
    keepDuet(folder, 'kept', duet);
    assert.equal((await build(folder)).code, 0);
    assert.deepEqual(
      builtFiles(folder).filter((path) => /^duets\/.*html$/.test(path)),
      ['duets/kept.html'],
    );
    rmSync(join(folder, 'reports', 'duets'), { recursive: true });
    writeFileSync(join(place, 'comparison.json'), '{ "schema": 1');
    const { code, err } = await build(folder);
    assert.equal(code, 2);
    assert.match(err, /left out: \.bench\/runs\/20260221T101500Z-1\/comparison\.json: /);
  });
});

describe('chains of duets', () => {
  /** @param {string} name @param {string | null} base @param {string | null} head */
  const made = (name, base, head) =>
    /** @type {any} */ ({ name, outcome: { commits: base === undefined ? undefined : { base, head } } });
  /** @param {any[]} duets */
  const namesOf = (duets) => chainsOf(duets).map((chain) => chain.map(({ name }) => name));

  it('lead from each head to the duet that has it as base; a pull request does not lead away from main', () => {
    const all = [made('1', 'a', 'b'), made('pull', 'b', 'x'), made('2', 'b', 'c'), made('3', 'c', 'd')];
    assert.deepEqual(namesOf(all), [['1', '2', '3']]);
  });

  it('end where a commit was not measured, and what comes after is a chain of its own', () => {
    const all = [
      made('1', 'a', 'b'),
      made('2', 'b', 'c'),
      made('4', 'd', 'e'),
      made('5', 'e', 'f'),
      made('6', 'f', 'g'),
    ];
    assert.deepEqual(namesOf(all), [
      ['4', '5', '6'],
      ['1', '2'],
    ]);
  });

  it('have no duet of one commit against itself, of files that differ from their commit, or alone', () => {
    assert.deepEqual(namesOf([made('1', 'a', 'b'), made('same', 'b', 'b'), made('dirty', 'b', null)]), []);
    assert.deepEqual(namesOf([{ name: 'old', outcome: {} }, made('1', 'a', 'b'), made('back', 'b', 'a')]), [
      ['1', 'back'],
    ]);
  });
});
