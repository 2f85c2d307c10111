import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build, built, builtFiles, temporarySuite } from './site/build.js';
import { parseCsv } from './site/parse-csv.js';
import { recordsOf, writeKept } from './site/synthetic-records.js';

const fresh = '20260301T101500Z-4711';
const page = 'versions/v1.1/alpha/single/hello,rate=2000';

describe('benchfolio site', () => {
  const folder = temporarySuite({ systems: 2, cases: 5, versions: 2 });
  /** @type {Awaited<ReturnType<typeof build>>} */
  let first;
  before(async () => {
    first = await build(folder);
  });

  it('makes a page for the suite, the method, each system, version and record', () => {
    assert.deepEqual([first.code, first.err], [0, '']);
    assert.match(first.out, /^public: 35 pages from 25 records, \d+ charts drawn, 0 as before\n/);
    assert.match(first.out, /\nfile:\/\/.*public\/index\.html\n$/);
    const pages = builtFiles(folder, '.html');
    assert.equal(pages.length, 36); // the method is written, not made
    for (const path of ['index', 'changes', 'method', 'systems/beta', 'versions/v1.1/compared', 'versions/v1.0', `versions/${fresh}`, page]) {
      assert.ok(pages.includes(`${path}.html`), path);
    }
  });

  it('leads from every link to something that is there', () => {
    const files = new Set(builtFiles(folder));
    let links = 0;
    for (const from of builtFiles(folder, '.html')) {
      for (const [, link] of built(folder, from).matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https:|data:)/.test(link)) continue;
        assert.doesNotMatch(link, /^\//, `${from}: ${link} works under one base path only`);
        const [path, anchor] = decodeURI(link.replaceAll('&#43;', '+').replaceAll('&amp;', '&')).split('#');
        const to = path ? join(dirname(from), path) : from;
        assert.ok(files.has(to), `${from}: ${link}`);
        const chosen = to === 'compare.html' && anchor?.matchAll(/(?:base|head)=([^&]+)/g);
        if (chosen) for (const [, name] of chosen) assert.ok(files.has(`versions/${name}.json`), `${from}: ${link}`);
        else if (anchor) assert.ok(built(folder, to).includes(` id="${anchor}"`), `${from}: ${link}`);
        links++;
      }
    }
    assert.ok(links > 1000);
  });

  it('asks for nothing from other hosts and runs no inline script', () => {
    for (const path of builtFiles(folder, '.html')) {
      const html = built(folder, path);
      for (const [, attributes] of html.matchAll(/<script([^>]*)>/g)) {
        assert.match(attributes, /src="\.|type="application\/json"/);
      }
      assert.doesNotMatch(html, /<style| style=| on[a-z]+=|<(?:img|link|script)[^>]*="https?:/, path);
    }
  });

  it('draws the charts into the pages', () => {
    const html = built(folder, `${page}.html`);
    const charts = [...html.matchAll(/role="img" aria-label="([^"]+)"><svg width="368"[^]*?<\/svg>/g)];
    const labels = charts.map(([, label]) => label.split(/[:,]/)[0]);
    assert.deepEqual(labels, ['Latency by percentile of v1.1', 'Responses per second', 'Network']);
    assert.match(charts[0][1], /p95 [\d.]+ ms/);
    assert.equal(built(folder, 'systems/alpha.html').match(/<svg width="368"/g)?.length, 3 + 2 * 3);
  });

  it('puts the record itself beside its page, and the same numbers as CSV', () => {
    const kept = readFileSync(join(folder, 'reports', `${page}.json`), 'utf8');
    assert.equal(built(folder, `${page}.json`), kept);
    const { metrics } = JSON.parse(kept);
    const rows = parseCsv(built(folder, `${page}.csv`)).filter(({ of }) => of === 'case');
    assert.deepEqual(rows.map(({ metric, unit, value }) => [metric, unit, Number(value)]),
      Object.entries(metrics).map(([name, { unit, value }]) => [name, unit, value]));
    const samples = rows.map((row) => row.samples.split(' ').map(Number));
    assert.deepEqual(samples, Object.values(metrics).map((metric) => metric.samples));
  });

  it('puts the numbers of a system, a version and the suite beside theirs', () => {
    const { metrics } = JSON.parse(built(folder, `${page}.json`));
    for (const path of ['systems/alpha', 'versions/v1.1']) {
      const { records } = JSON.parse(built(folder, `${path}.json`));
      const [one] = records.filter((/** @type {any} */ { record }) => record === `${page}.json`);
      assert.equal(one.metrics.latency_ms_p95.value, metrics.latency_ms_p95.value, path);
    }
    const all = JSON.parse(built(folder, 'index.json')).records.map((/** @type {any} */ { record }) => record);
    assert.deepEqual([all.length, all.includes(`${page}.json`)], [25, true]);
    const rows = parseCsv(built(folder, 'systems/alpha.csv'));
    const wanted = { version: 'v1.1', case: 'hello,rate=2000', metric: 'cpu_ms_per_request' };
    const row = rows.find((one) => Object.entries(wanted).every(([key, value]) => one[key] === value));
    assert.equal(Number(row?.value), metrics.cpu_ms_per_request.value);
  });

  it('shows a run that is not kept, and how it was judged', () => {
    const home = built(folder, 'index.html');
    assert.match(home, /last run<\/a> <span class="tag">not kept<\/span>/);
    assert.match(home, /compared with v1\.1 in 4 of 5 cases/);
    assert.match(home, /is-worse[^]*?&#43;14 %/);
    assert.match(built(folder, `versions/${fresh}.html`), /upload · single[^]*?is-todo[^]*?needs a larger disk/);
    const record = built(folder, `versions/${fresh}/alpha/single/hello,rate=2000.html`);
    assert.match(record, /Compared with v1\.1[^]*?&#43;13 % to &#43;15 %/);
  });

  it('says of a version of another definition that it is another series', () => {
    assert.match(built(folder, `${page}.html`), /v1\.0<\/a>[^]*?<span class="tag"[^>]*>another definition<\/span>/);
    assert.match(built(folder, 'systems/alpha.html'), /another definition from v1\.1 on/);
  });

  it('draws nothing again that has not changed', async () => {
    const before = builtFiles(folder).map((path) => [path, built(folder, path)]);
    const second = await build(folder);
    assert.match(second.out, /, 0 charts drawn, \d+ as before/);
    assert.deepEqual(builtFiles(folder).map((path) => [path, built(folder, path)]), before);
  });

  it('makes no page again that would be the same, and every one that somebody has touched', async () => {
    const other = 'versions/v1.0/alpha/single/hello,rate=1000';
    const made = () => [page, other].map((path) => statSync(join(folder, 'public', `${path}.html`)).mtimeMs);
    const first = made();
    await build(folder);
    assert.deepEqual(made(), first);
    const html = built(folder, `${page}.html`);
    writeFileSync(join(folder, 'public', `${page}.html`), 'edited');
    writeFileSync(join(folder, 'public', `${page}.csv`), 'edited');
    await build(folder);
    assert.deepEqual(made().map((time, i) => time === first[i]), [false, true]);
    assert.equal(built(folder, `${page}.html`), html);
    assert.match(built(folder, `${page}.csv`), /^of,name,metric/);
    writeKept(folder, recordsOf(['beta'], 1, 'v1.1', 1)[0]); // as it was
    const record = recordsOf(['alpha'], 2, 'v1.1', 1)[1];
    writeKept(folder, { ...record, command: 'benchfolio run --another' });
    const second = made();
    await build(folder);
    assert.deepEqual(made().map((time, i) => time === second[i]), [false, true]);
    assert.match(built(folder, `${page}.html`), /run --another/);
    writeKept(folder, record);
    await build(folder);
  });

  it('names absolute addresses only where it was told them', async () => {
    assert.doesNotMatch(built(folder, `${page}.html`), /canonical|og:/);
    assert.ok(!builtFiles(folder).includes('sitemap.xml'));
    await build(folder, { baseUrl: 'https://example.com/bench/' });
    const [, address] = /<link rel="canonical" href="([^"]+)">/.exec(built(folder, `${page}.html`)) ?? [];
    const listed = [...built(folder, 'sitemap.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location);
    assert.equal(listed.length, builtFiles(folder, '.html').length - 1); // the method is written, not made
    assert.ok(listed.map(decodeURIComponent).includes(decodeURIComponent(address)), address);
    assert.equal(address, `https://example.com/bench/${page}.html`);
    assert.match(built(folder, `${page}.html`), /href="(\.\.\/){4}systems\/alpha\.html"/);
  });

  it('lets the suite\'s own site/ go before ours', async () => {
    mkdirSync(join(folder, 'site', 'layouts', '_partials'), { recursive: true });
    mkdirSync(join(folder, 'site', 'content'), { recursive: true });
    writeFileSync(join(folder, 'site', 'layouts', '_partials', 'footer.html'), '<footer>Ours &amp; only ours</footer>');
    writeFileSync(join(folder, 'site', 'content', 'people.md'), '+++\ntitle = "People"\n+++\nWho measures.\n');
    writeFileSync(join(folder, 'site', 'hugo.toml'), '[[menus.main]]\nname = "People"\npageRef = "/people"\n');
    await build(folder);
    assert.match(built(folder, 'index.html'), /<footer>Ours &amp; only ours<\/footer>/);
    assert.match(built(folder, 'people.html'), /Who measures\./);
    assert.match(built(folder, `${page}.html`), /<a href="\.\.\/\.\.\/\.\.\/\.\.\/people\.html">People<\/a>/);
  });

  it('leaves the old pages when Hugo fails, and nothing else behind', async () => {
    const before = builtFiles(folder);
    const template = join(folder, 'site', 'layouts', 'home.html');
    writeFileSync(template, '{{ define "main" }}{{ .NoSuchThing }}{{ end }}');
    await assert.rejects(build(folder), { name: 'UserError', code: 4, message: /home\.html.*NoSuchThing/s });
    assert.deepEqual(builtFiles(folder), before);
    assert.deepEqual(readdirSync(join(folder, '.bench', 'site')), []);
  });
});

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
    for (const [version, name] of [['v2 <b>', 'spaced'], ['v3.html', 'ended']]) {
      put(`reports/versions/${version}/alpha/single/${name}.json`, JSON.stringify({ ...good, case: name, version }));
    }
    put('specs/broken/spec.toml', 'title = "Broken\n');
    result = await build(folder);
  });

  for (const [what, told] of /** @type {[string, RegExp][]} */ ([
    ['a truncated record', /v2\.0\/alpha\/single\/truncated\.json: it is truncated or damaged/],
    ['another schema version', /older\.json: its schema is 0; this benchfolio reads 1/],
    ['what is no record', /wrong\.json: it is no record: \/metrics\/latency_ms_p50 must be object/],
    ['a version that climbs', /climber\.json: it is no record: \/version must match/],
    ['a record in the place of another', /moved\.json: its case is "hello,rate=1000", its place says "moved"/],
    ['a version that is no name', /spaced\.json: "v2 <b>" cannot be the name of a version/],
    ['a version in the way of a page', /ended\.json: "v3\.html" cannot be the name of a version/],
    ['a spec that is not TOML', /specs\/broken\/spec\.toml: /],
  ])) it(what, () => assert.match(result.err, told));

  it('and shows the rest', () => {
    assert.equal(result.code, 2);
    assert.match(result.out, / from 3 records, .* 8 left out\n/);
    const pages = builtFiles(folder, '.html');
    assert.ok(pages.includes('versions/v2.0/alpha/single/hello,rate=1000.html'));
    assert.ok(pages.includes('systems/broken.html'));
    for (const path of pages) assert.doesNotMatch(path, /truncated|older|wrong|climber|moved|spaced|ended/);
    assert.equal(existsSync(join(folder, 'x')), false);
  });

  it('unless told to keep going', async () => assert.equal((await build(folder, { keepGoing: true })).code, 0));
});

describe('benchfolio site and what is in its way', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 2, fresh: false });
  const place = (/** @type {string[]} */ ...path) => join(folder, ...path);

  it('a record that is a folder, or leads nowhere, is named and left out', async () => {
    const inside = place('reports', 'versions', 'v1.0', 'alpha', 'single');
    mkdirSync(join(inside, 'folder.json'));
    symlinkSync('nowhere', join(inside, 'nowhere.json'));
    const { code, err, out } = await build(folder);
    assert.equal(code, 2);
    assert.match(err, /left out: .*folder\.json: it cannot be read \(EISDIR\)\nleft out: .*nowhere\.json: it cannot be read \(ENOENT\)/);
    assert.match(out, /from 4 records/);
    rmSync(join(inside, 'folder.json'), { recursive: true });
    rmSync(join(inside, 'nowhere.json'));
  });

  it('names that differ in capitals only have one page, and it is said whose', async () => {
    writeKept(folder, { ...recordsOf(['alpha'], 1, 'V1.1', 3)[0], version: 'V1.1' });
    mkdirSync(place('specs', 'Alpha'));
    cpSync(place('specs', 'alpha', 'spec.toml'), place('specs', 'Alpha', 'spec.toml'));
    mkdirSync(place('specs', 'a#b'));
    cpSync(place('specs', 'alpha', 'spec.toml'), place('specs', 'a#b', 'spec.toml'));
    const { code, err } = await build(folder);
    assert.equal(code, 2);
    assert.match(err, /v1\.1\/alpha\/single\/\S+: its page would be that of versions\/V1\.1, which differs in capitals only/);
    assert.match(err, /specs\/alpha\/spec\.toml: another system has this name, but for its capitals/);
    assert.match(err, /specs\/a#b\/spec\.toml: "a#b" cannot be the name of a system/);
    for (const name of ['Alpha', 'a#b']) rmSync(place('specs', name), { recursive: true });
    rmSync(place('reports', 'versions', 'V1.1'), { recursive: true });
  });

  it('an address that cannot be the site\'s, and a page that would take the place of all, are refused', async () => {
    for (const baseUrl of ['example.com/x', '', 'javascript:alert(1)', 'ftp://e.com', 'https://a:b@e.com/', 'https://e.com/?q=1', 'https://e.com/#f']) {
      await assert.rejects(build(folder, { baseUrl }), { name: 'UserError', code: 2, message: /cannot be where the pages will be/ });
    }
    mkdirSync(place('site', 'content'), { recursive: true });
    writeFileSync(place('site', 'content', 'index.md'), '+++\n+++\n');
    await assert.rejects(build(folder), { name: 'UserError', message: /index\.md would take the place of every page/, hint: /_index\.md/ });
    rmSync(place('site'), { recursive: true });
    writeFileSync(place('site'), 'a file');
    assert.equal((await build(folder)).code, 0);
    await assert.rejects(build(folder, { folder: '' }), { name: 'UserError', message: /was not made by a build/ });
  });
});

describe('benchfolio site in a suite', () => {
  it('where nothing was measured says so', async () => {
    const folder = temporarySuite({ systems: 1, versions: 0, fresh: false });
    const { code, out } = await build(folder);
    assert.equal(code, 0);
    assert.match(out, /^public: 4 pages from 0 records/);
    assert.match(built(folder, 'index.html'), /Not measured yet\.[^]*Nothing measured yet/);
  });

  it('where a run failed shows the failure and not the last success', async () => {
    const folder = temporarySuite({ systems: 1, cases: 2, versions: 1 });
    const run = join(folder, '.bench', 'runs', fresh);
    const outcome = JSON.parse(readFileSync(join(run, 'comparison.json'), 'utf8'));
    const failed = { status: 'failed', verdict: 'broken', reason: 'app was never ready', comparison: null };
    for (const one of outcome.cases) Object.assign(one, failed);
    writeFileSync(join(run, 'comparison.json'), JSON.stringify(outcome));
    for (const { case: name } of outcome.cases) writeFileSync(join(run, 'alpha', 'single', name, 'record.json'), '');
    const { code, err } = await build(folder);
    assert.equal(code, 2); // empty files are no records
    assert.equal(err.match(/^left out: .*record\.json/gm)?.length, 2);
    assert.match(built(folder, 'index.html'), /<span aria-hidden="true">!<\/span> 2 broken/);
    assert.match(built(folder, 'systems/alpha.html'), /is-broken[^]*?app was never ready/);
  });

  it('whose last run was kept shows it once, under its version', async () => {
    const folder = temporarySuite({ systems: 1, cases: 2, versions: 1 });
    const run = join(folder, '.bench', 'runs', fresh, 'alpha', 'single');
    for (const name of readdirSync(run)) {
      const record = JSON.parse(readFileSync(join(run, name, 'record.json'), 'utf8'));
      writeKept(folder, { ...record, version: 'v9' });
    }
    assert.equal((await build(folder)).code, 0);
    assert.equal(builtFiles(folder, '.html').some((path) => path.includes(fresh)), false);
    assert.match(built(folder, 'versions/v9/alpha/single/hello,rate=2000.html'), /Compared with v1\.0/);
  });

  it('that was copied needs nothing of where it was', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 1, fresh: false });
    await build(folder);
    const copy = temporarySuite({ systems: 0, versions: 0, fresh: false });
    cpSync(join(folder, 'public'), join(copy, 'public'), { recursive: true });
    for (const path of builtFiles(copy)) assert.ok(!built(copy, path).includes(folder), path);
  });
});
