import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { lastRun, recordsOf, writeKept } from '../support/site/synthetic-records.js';

describe('benchfolio site in a suite', () => {
  it('where nothing was measured says so', async () => {
    const folder = temporarySuite({ systems: 1, versions: 0, fresh: false });
    const { code, out } = await build(folder);
    assert.equal(code, 0);
    assert.match(out, /^public: 4 pages from 0 records/);
    assert.match(built(folder, 'index.html'), /Not measured yet\.[\s\S]*Nothing measured yet/);
  });

  it('whose bench.toml is wrong says so, and builds nothing', async () => {
    const folder = temporarySuite({ systems: 1, versions: 1 });
    writeFileSync(join(folder, 'bench.toml'), '[site]\ntitel = "Shop"\n');
    await assert.rejects(build(folder), /1 error[\s\S]*titel[\s\S]*title/);
    assert.deepEqual(readdirSync(folder).includes('public'), false);
  });

  it('where a run failed shows the failure and not the last success', async () => {
    const folder = temporarySuite({ systems: 1, cases: 2, versions: 1 });
    const run = join(folder, '.bench', 'runs', lastRun);
    const outcome = JSON.parse(readFileSync(join(run, 'comparison.json'), 'utf8'));
    const failed = { status: 'error', verdict: 'error', reason: 'app was never ready', comparison: null };
    for (const one of outcome.cases) Object.assign(one, failed);
    writeFileSync(join(run, 'comparison.json'), JSON.stringify(outcome));
    for (const { case: name } of outcome.cases) writeFileSync(join(run, 'alpha', 'single', name, 'record.json'), '');
    const { code, err } = await build(folder);
    assert.equal(code, 2); // empty files are no records
    assert.equal(err.match(/^left out: .*record\.json/gm)?.length, 2);
    assert.match(built(folder, 'index.html'), /<span aria-hidden="true">!<\/span> 2 error/);
    assert.match(built(folder, 'systems/alpha.html'), /is-error[\s\S]*?app was never ready/);
  });

  it('whose last run was kept shows it once, under its version', async () => {
    const folder = temporarySuite({ systems: 1, cases: 2, versions: 1 });
    const run = join(folder, '.bench', 'runs', lastRun, 'alpha', 'single');
    for (const name of readdirSync(run)) {
      const record = JSON.parse(readFileSync(join(run, name, 'record.json'), 'utf8'));
      writeKept(folder, { ...record, version: 'v9' });
    }
    assert.equal((await build(folder)).code, 0);
    assert.equal(
      builtFiles(folder, '.html').some((path) => path.includes(lastRun)),
      false,
    );
    assert.match(built(folder, 'versions/v9/alpha/single/hello,rate=2000.html'), /Compared with v1\.0/);
  });

  it('whose spec has a scenario no more shows it folded, with its metrics over versions', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 2, fresh: false });
    const compare = { tolerance: 0.05, gate: ['latency_ms_p50'] };
    for (const version of ['v1.0', 'v1.1']) {
      const record = structuredClone(recordsOf(['alpha'], 1, version, version === 'v1.0' ? 0 : 1)[0]);
      writeKept(folder, {
        ...record,
        version,
        scenario: 'dropped',
        case: 'dropped',
        values: {},
        verdict: 'fail',
        compare,
      });
    }
    assert.equal((await build(folder)).code, 0);
    const page = built(folder, 'systems/alpha.html');
    const gone = page.slice(page.indexOf('id="gone"'));
    assert.match(gone, /No longer in the spec[\s\S]*<details><summary>1 case as last measured/);
    assert.match(gone, /is-fail[\s\S]*dropped, single: over versions[\s\S]*<svg/);
    assert.doesNotMatch(built(folder, 'systems/alpha.svg'), /fail/);
  });

  it('that was copied needs nothing of where it was', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 1, fresh: false });
    await build(folder);
    const copy = temporarySuite({ systems: 0, versions: 0, fresh: false });
    cpSync(join(folder, 'public'), join(copy, 'public'), { recursive: true });
    for (const path of builtFiles(copy)) assert.ok(!built(copy, path).includes(folder), path);
  });

  it('of many versions leads from each to those around it, and makes no others again when one is added', async () => {
    const folder = temporarySuite({ systems: 2, cases: 2, versions: 12, fresh: false });
    await build(folder);
    const links = /<nav class="links" aria-label="Versions">([\s\S]*?)<\/nav>/;
    const [, around] = links.exec(built(folder, 'versions/v1.6.html')) ?? [];
    assert.deepEqual(
      [...around.matchAll(/>([^<]+)<\/(?:a|span)>/g)].map(([, text]) => text),
      ['Versions:', 'v1.2', 'v1.3', 'v1.4', 'v1.5', 'v1.6', 'v1.7', 'v1.8', 'v1.9', 'v1.10', 'all'],
    );
    assert.match(around, /href="\.\.\/index\.html#versions">all</);
    const made = (/** @type {string} */ version) =>
      statSync(join(folder, 'public', 'versions', `${version}.html`)).mtimeMs;
    const before = ['v1.0', 'v1.6', 'v1.11'].map(made);
    writeKept(folder, recordsOf(['alpha'], 1, 'v1.12', 12)[0]);
    await build(folder);
    assert.deepEqual(
      ['v1.0', 'v1.6', 'v1.11'].map((version, i) => made(version) === before[i]),
      [true, true, false],
    );
  });
});
