import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build, builtFiles, temporarySuite } from '../support/site/build.js';
import { recordsOf, writeKept } from '../support/site/synthetic-records.js';

describe('benchfolio site leaves out, names, and exits 2 for', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 1, fresh: false });
  const [good] = recordsOf(['alpha'], 1, 'v2.0', 1);
  const put = (/** @type {string} */ path, /** @type {string} */ text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  /** @type {Awaited<ReturnType<typeof build>>} */
  let result;
  before(async () => {
    writeKept(folder, good);
    const place = 'reports/versions/v2.0/alpha/single';
    put(`${place}/truncated.json`, JSON.stringify(good).slice(0, 900));
    put(`${place}/older.json`, JSON.stringify({ ...good, schema: 0, case: 'older' }));
    put(`${place}/wrong.json`, JSON.stringify({ ...good, case: 'wrong', metrics: { latency_ms_p50: 'fast' } }));
    put(`${place}/climber.json`, JSON.stringify({ ...good, case: 'climber', version: '../../x' }));
    put(`${place}/moved.json`, JSON.stringify(good));
    put(`${place}/ahead.json`, JSON.stringify({ ...good, case: 'ahead', time: '2200-01-01T00:00:00.000Z' }));
    for (const [version, name] of [
      ['v2 <b>', 'spaced'],
      ['v3.html', 'ended'],
    ]) {
      put(`reports/versions/${version}/alpha/single/${name}.json`, JSON.stringify({ ...good, case: name, version }));
    }
    put('specs/broken/spec.toml', 'title = "Broken\n');
    result = await build(folder);
  });

  for (const [what, error] of /** @type {[string, RegExp][]} */ ([
    ['a truncated record', /v2\.0\/alpha\/single\/truncated\.json: it is truncated or damaged/],
    [
      'another schema version',
      /older\.json: it is of an older Benchfolio: it has schema version 0, and this one reads \d+/,
    ],
    ['what is no record', /wrong\.json: it is not a record: \/metrics\/latency_ms_p50 must be object/],
    ['a version that climbs', /climber\.json: it is not a record: \/version must match/],
    ['a record in the place of another', /moved\.json: it has the case "hello,rate=1000", and its path says "moved"/],
    [
      'a record of the future: it would be the newest for good',
      /ahead\.json: it was measured on 2200-01-01, which is in the future: the clock of that machine was wrong/,
    ],
    ['a version that is no name', /spaced\.json: it has "v2 <b>" in its path, which cannot name a version/],
    ['a version in the way of a page', /ended\.json: it has "v3\.html" in its path, which cannot name a version/],
    ['a spec that is not TOML', /specs\/broken\/spec\.toml: /],
  ]))
    it(what, () => assert.match(result.err, error));

  it('and shows the rest', () => {
    assert.equal(result.code, 2);
    assert.match(result.out, / from 3 records, .* 9 left out\n/);
    const pages = builtFiles(folder, '.html');
    assert.ok(pages.includes('versions/v2.0/alpha/single/hello,rate=1000.html'));
    assert.ok(pages.includes('systems/broken.html'));
    for (const path of pages) assert.doesNotMatch(path, /ahead|truncated|older|wrong|climber|moved|spaced|ended/);
    assert.equal(existsSync(join(folder, 'x')), false);
  });

  it('unless asked to keep going', async () => assert.equal((await build(folder, { keepGoing: true })).code, 0));
});

describe('benchfolio site and what is in its way', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 2, fresh: false });
  const place = (/** @type {string[]} */ ...path) => join(folder, ...path);

  it('a record that is a folder, or leads nowhere, is named and left out', async () => {
    const inside = place('reports', 'versions', 'v1.0', 'alpha', 'single');
    mkdirSync(join(inside, 'folder.json'));
    symlinkSync('nowhere', join(inside, 'nowhere.json'));
    spawnSync('mkfifo', [join(inside, 'pipe.json')]);
    symlinkSync('/dev/zero', join(inside, 'zero.json'));
    symlinkSync('v1.0', place('reports', 'versions', 'v1.9'));
    writeFileSync(join(inside, 'closed.json'), '');
    chmodSync(join(inside, 'closed.json'), 0);
    const { code, err, out } = await build(folder);
    assert.equal(code, 2);
    assert.match(
      err,
      /left out: .*folder\.json: it is a folder, not a file\nleft out: .*nowhere\.json: it is a symbolic link\n/,
    );
    assert.match(err, /pipe\.json: it is a named pipe \(FIFO\), not a file\n.*zero\.json: it is a symbolic link\n/);
    assert.match(err, /closed\.json: it (cannot be read \(EACCES\)|is truncated or damaged: it is empty)\n/); // root reads all
    assert.match(err, /versions\/v1\.9: it is a symbolic link\n/);
    assert.match(out, /from 4 records/);
    rmSync(join(inside, 'folder.json'), { recursive: true });
    for (const name of ['nowhere', 'pipe', 'zero', 'closed']) rmSync(join(inside, `${name}.json`));
    rmSync(place('reports', 'versions', 'v1.9'));
  });

  it('names that differ in capitals only have one page, and it is said whose', async () => {
    writeKept(folder, { ...recordsOf(['alpha'], 1, 'V1.1', 3)[0], version: 'V1.1' });
    mkdirSync(place('specs', 'Alpha'));
    cpSync(place('specs', 'alpha', 'spec.toml'), place('specs', 'Alpha', 'spec.toml'));
    mkdirSync(place('specs', 'a#b'));
    cpSync(place('specs', 'alpha', 'spec.toml'), place('specs', 'a#b', 'spec.toml'));
    const { code, err } = await build(folder);
    assert.equal(code, 2);
    assert.match(
      err,
      /v1\.1\/alpha\/single\/\S+: its page would be that of versions\/V1\.1, which differs in capitals only/,
    );
    assert.match(err, /specs\/alpha\/spec\.toml: another system has this name, but for its capitals/);
    assert.match(err, /specs\/a#b\/spec\.toml: "a#b" cannot be the name of a system/);
    for (const name of ['Alpha', 'a#b']) rmSync(place('specs', name), { recursive: true });
    rmSync(place('reports', 'versions', 'V1.1'), { recursive: true });
  });

  it("an address that cannot be the site's, and a page that would take the place of all, are refused", async () => {
    for (const baseUrl of [
      'example.com/x',
      '',
      'javascript:alert(1)',
      'ftp://e.com',
      'https://a:b@e.com/',
      'https://e.com/?q=1',
      'https://e.com/#f',
    ]) {
      await assert.rejects(build(folder, { baseUrl }), {
        name: 'UserError',
        code: 2,
        message: /cannot be where the pages will be/,
      });
    }
    mkdirSync(place('site', 'content'), { recursive: true });
    writeFileSync(place('site', 'content', 'index.md'), '+++\n+++\n');
    await assert.rejects(build(folder), {
      name: 'UserError',
      message: /index\.md would take the place of every page/,
      hint: /_index\.md/,
    });
    rmSync(place('site'), { recursive: true });
    writeFileSync(place('site'), 'a file');
    assert.equal((await build(folder)).code, 0);
    await assert.rejects(build(folder, { folder: '' }), { name: 'UserError', message: /was not made by a build/ });
  });
});
