import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { judgingPrograms } from '../../dist/site/collect/cached.js';
import { benchfolio, root } from '../support/cli.js';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { parseCsv } from '../support/site/parse-csv.js';
import { recordsOf, writeKept } from '../support/site/synthetic-records.js';

const url = 'https://example.com/bench';

/** What one metric of a made-up record is multiplied by. @param {any} record @param {string} metric @param {number} by */
function multiplied(record, metric, by) {
  const one = record.metrics[metric];
  one.value *= by;
  one.samples = one.samples.map((/** @type {number} */ sample) => sample * by);
  return record;
}

describe('versions set beside those before them', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 3, fresh: false });
  before(async () => {
    // hello,rate=1000 takes three times the CPU time; of rate=2000 only the errors are new, and its threshold is missed
    const [slow, failing] = recordsOf(['alpha'], 2, 'v2', 3);
    writeKept(folder, multiplied(slow, 'cpu_ms_per_request', 3));
    failing.verdict = 'fail';
    Object.assign(failing.thresholds[0], { outcome: 'missed', observed: 60 });
    writeKept(folder, failing);
    assert.equal((await build(folder, { baseUrl: url })).code, 0);
  });

  it('say the same as benchfolio compare', async () => {
    const { stdout } = await benchfolio(['compare', 'v1.2', 'v2', '--format', 'json'], { cwd: folder });
    const [asked, shown] = [JSON.parse(stdout), JSON.parse(built(folder, 'versions/v2/compared.json'))];
    assert.equal(shown.verdict, 'fail');
    assert.deepEqual(shown.budget, asked.budget);
    const judged = (/** @type {any} */ one) => [one.case, one.verdict, one.metrics, one.comparison];
    const byName = (/** @type {any} */ a, /** @type {any} */ b) => (a.case < b.case ? -1 : 1);
    assert.deepEqual(shown.cases.sort(byName).map(judged), asked.cases.sort(byName).map(judged));
    const [row] = parseCsv(built(folder, 'versions/v2/compared.csv')).filter(({ verdict }) => verdict === 'worse');
    assert.deepEqual([row.case, row.metric, Number(row.ratio) > 2.9], ['hello,rate=1000', 'cpu_ms_per_request', true]);
  });

  it('are on the pages of changes, of the version, of its records and on the first', () => {
    const changes = built(folder, 'changes.html');
    const [, newest] = changes.split('<section');
    assert.match(newest, /v2<\/a> <small>against v1\.2/);
    assert.match(newest, /<p>Of 6 metrics in 2 cases 1 got worse, 5 are undecided\.<\/p>/);
    assert.match(newest, /versions\/v2\/alpha\/single\/hello,rate=1000\.html#compared">Hello World, rate 1,000<\/a>/);
    assert.match(newest, /Thresholds missed that were met before: <a [^>]*>alpha single hello,rate=2000<\/a>/);
    assert.match(changes, /2 cases: another definition: a new series starts/);
    assert.match(
      built(folder, 'versions/v2.html'),
      /is-fail[\s\S]*?<span class="tag" title="than v1\.2: CPU per request">worse<\/span>[\s\S]*?CPU per request &#43;\d+/,
    );
    assert.match(
      built(folder, 'versions/v2.html'),
      /compared\.html">Against v1\.2<\/a>: Of 6 metrics in 2 cases 1 got worse/,
    );
    assert.match(
      built(folder, 'index.html'),
      /Version v2 was compared with v1\.2 in 2 of 2 cases\. Of 6 metrics in 2 cases 1 got worse/,
    );
    const record = built(folder, 'versions/v2/alpha/single/hello,rate=1000.html');
    assert.match(
      record,
      /Compared with v1\.2[\s\S]*aria-label="Metrics of this case: CPU per request worse, &#43;\d+ %/,
    );
    assert.match(built(folder, 'versions/v2/compared.html'), /Reproduce: <code>benchfolio compare v1\.2 v2</);
  });

  it('are there for other programs', () => {
    const { changes } = JSON.parse(built(folder, 'changes.json'));
    assert.deepEqual(
      changes.map((/** @type {any} */ { version }) => version),
      ['v2', 'v1.2', 'v1.1'],
    );
    assert.deepEqual(changes[0].newly_failing, ['alpha single hello,rate=2000']);
    assert.deepEqual(
      changes[0].metrics.map((/** @type {any} */ one) => [one.metric, one.verdict]),
      [['cpu_ms_per_request', 'worse']],
    );
    const [row] = parseCsv(built(folder, 'changes.csv'));
    assert.deepEqual(
      [row.version, row.system, row.environment, row.case, row.metric, row.verdict],
      ['v2', 'alpha', 'single', 'hello,rate=1000', 'cpu_ms_per_request', 'worse'],
    );
  });

  it('make a version that is worse no pass, on its badge too', () => {
    assert.match(built(folder, 'versions/v2.svg'), /v2: fail 2 of 2/);
    assert.match(built(folder, 'versions/v1.2.svg'), /v1\.2: pass 2 of 2/);
  });

  it('are a feed where it is known where the site is', async () => {
    const feed = built(folder, 'changes.atom');
    assert.match(feed, /^<\?xml [\s\S]*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
    assert.deepEqual(
      [...feed.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id),
      [`${url}/changes.html`, ...['v2', 'v1.2', 'v1.1'].map((version) => `${url}/versions/${version}/compared.html`)],
    );
    assert.match(feed, /<content type="text">worse: Hello World, rate 1,000, CPU per request \+\d+ % \[\+\d/);
    assert.match(
      built(folder, 'changes.html'),
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="changes\.atom">/,
    );
    const elsewhere = temporarySuite({ systems: 1, cases: 1, versions: 2, fresh: false });
    await build(elsewhere);
    assert.ok(!builtFiles(elsewhere).includes('changes.atom'));
    assert.doesNotMatch(built(elsewhere, 'changes.html'), /atom/);
  });

  it('are judged once, and again when a record of theirs or a rule is another one', async () => {
    const file = (/** @type {string} */ version) => join(folder, '.bench', 'cache', 'comparisons', `${version}.json`);
    const times = () => ['v1.1', 'v1.2', 'v2'].map((version) => statSync(file(version)).mtimeMs);
    const first = times();
    await build(folder, { baseUrl: url });
    assert.deepEqual(times(), first);
    writeKept(folder, multiplied(recordsOf(['alpha'], 2, 'v1.2', 2)[0], 'cpu_ms_per_request', 3));
    await build(folder, { baseUrl: url });
    const second = times();
    assert.deepEqual(
      second.map((time, i) => time !== first[i]),
      [false, true, true],
      'that of v1.1 has not this record',
    );
    assert.match(built(folder, 'changes.html'), /Of 6 metrics in 2 cases none changed for certain: 6 are undecided\./);
    writeFileSync(
      join(folder, 'bench.toml'),
      `${readFileSync(join(folder, 'bench.toml'), 'utf8')}[compare]\ntolerance = 0.5\n`,
    );
    writeFileSync(file('v1.1'), '{ damaged');
    await build(folder, { baseUrl: url });
    assert.deepEqual(
      times().map((time, i) => time !== second[i]),
      [true, true, true],
    );
    assert.equal(JSON.parse(built(folder, 'versions/v2/compared.json')).cases[0].metrics[0].tolerance, 0.5);
    rmSync(join(folder, 'reports', 'versions', 'v2'), { recursive: true });
    await build(folder, { baseUrl: url });
    assert.throws(() => statSync(file('v2')), 'what is shown no more is not kept');
  });
});

describe('what was judged is judged again', () => {
  it('when a program or a table of it changes, wherever it stands', () => {
    const programs = judgingPrograms();
    const ours = ['comparison.json.jq', 'lib/tables/limits.jq', 'lib/metrics.jq', 'lib/compare/verdicts.jq'];
    for (const file of ours.map((name) => join(root, 'reports', name))) assert.ok(programs.includes(file), file);
    assert.ok(programs.every((file) => !file.includes('versions')));
  });
});
