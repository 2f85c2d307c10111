import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { parseCsv } from '../support/site/parse-csv.js';
import { lastRun, recordsOf, writeKept } from '../support/site/synthetic-records.js';

const page = 'versions/v1.1/alpha/single/hello,rate=2000';

describe('benchfolio site', () => {
  const folder = temporarySuite({ systems: 2, cases: 5, versions: 2 }, { ownCharts: true });
  /** @type {Awaited<ReturnType<typeof build>>} */
  let first;
  before(async () => {
    first = await build(folder);
  });

  it('makes a page for the suite, the method, each system, version and record', () => {
    assert.deepEqual([first.code, first.err], [0, '']);
    assert.match(first.out, /^public: 39 pages from 25 records, \d+ charts drawn, 0 reused\n/);
    assert.match(first.out, /\nfile:\/\/.*public\/index\.html\n$/);
    const pages = builtFiles(folder, '.html');
    assert.equal(pages.length, 41); // the method and its evidence are written, not made
    for (const path of [
      'index',
      'changes',
      'method',
      'systems/beta',
      'systems/beta/trends/hello',
      'versions/v1.1/compared',
      'versions/v1.0',
      `versions/${lastRun}`,
      page,
    ]) {
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
    const charts = [...html.matchAll(/role="img" aria-label="([^"]+)"><svg width="368"[\s\S]*?<\/svg>/g)];
    const labels = charts.map(([, label]) => label.split(/[:,]/)[0]);
    assert.deepEqual(labels, ['Latency by percentile of v1.1', 'Responses per second', 'Network']);
    assert.match(charts[0][1], /p95 [\d.]+ ms/);
    assert.equal(built(folder, 'systems/alpha.html').match(/<svg width="368"/g)?.length, 3 + 2 * 3);
  });

  it('says what was found before it shows how', () => {
    const [, found, how] =
      /<h2 id="conclusions">[^<]*<\/h2>\s*([\s\S]*?)<\/section>[\s\S]*?<dl class="about">([\s\S]*?)<\/dl>/.exec(
        built(folder, 'systems/alpha.html'),
      ) ?? [];
    assert.match(found, /<p>A queue <strong>grows<\/strong> before its service is busy\./);
    assert.doesNotMatch(how, /conclusions/);
  });

  it('puts the record itself beside its page, and the same numbers as CSV', () => {
    const kept = readFileSync(join(folder, 'reports', `${page}.json`), 'utf8');
    assert.equal(built(folder, `${page}.json`), kept);
    const { metrics } = JSON.parse(kept);
    const rows = parseCsv(built(folder, `${page}.csv`)).filter(({ of }) => of === 'case');
    assert.deepEqual(
      rows.map(({ metric, unit, value }) => [metric, unit, Number(value)]),
      Object.entries(metrics).map(([name, { unit, value }]) => [name, unit, value]),
    );
    const samples = rows.map((row) => row.samples.split(' ').map(Number));
    assert.deepEqual(
      samples,
      Object.values(metrics).map((metric) => metric.samples),
    );
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
    assert.match(home, /is-worse[\s\S]*?1\.140 \[/);
    const { value } = JSON.parse(built(folder, `versions/${lastRun}/alpha/single/hello,rate=2000.json`)).metrics
      .cpu_ms_per_request;
    const [, number, unit, rest] =
      /class="headline">.*?<strong>(\S+)<\/strong> (\S+) <a [^>]*>(.*?)<\/p>/s.exec(home) ?? [];
    assert.match(
      home,
      /class="trend" role="img" aria-label="CPU per request[^"]* of 1 case over \d versions[^"]*">\s*<svg/,
    );
    assert.match(
      home,
      /<ul class="happened">\s*<li><span class="verdict is-fail"[\s\S]*?<a [^>]*>CPU per request rose by 14\.0 %[^<]*<\/a>\s*<span[^>]*>last run against v1\.1 · /,
    );
    assert.deepEqual([Number(number).toPrecision(2), unit], [value.toPrecision(2), 'ms']);
    assert.match(rest, /CPU per request<\/a>\s*<span[^>]*>.*rate 2,?000 · \S*14[^<]*% \[.*is-worse/s);
    assert.match(
      built(folder, `versions/${lastRun}.html`),
      /upload · single[\s\S]*?is-todo[\s\S]*?needs a larger disk/,
    );
    const record = built(folder, `versions/${lastRun}/alpha/single/hello,rate=2000.html`);
    assert.match(record, /Compared with v1\.1[\s\S]*?1\.140 \[1\.131, 1\.149\]/);
  });

  it('says of a version of another definition that it is another series', () => {
    assert.match(built(folder, `${page}.html`), /v1\.0<\/a>[\s\S]*?<span class="tag"[^>]*>another definition<\/span>/);
    assert.match(built(folder, 'systems/alpha.html'), /another definition from v1\.1 on/);
  });

  it('draws nothing again that has not changed', async () => {
    const before = builtFiles(folder).map((path) => [path, built(folder, path)]);
    const second = await build(folder);
    assert.match(second.out, /, 0 charts drawn, \d+ reused/);
    assert.deepEqual(
      builtFiles(folder).map((path) => [path, built(folder, path)]),
      before,
    );
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
    assert.deepEqual(
      made().map((time, i) => time === first[i]),
      [false, true],
    );
    assert.equal(built(folder, `${page}.html`), html);
    assert.match(built(folder, `${page}.csv`), /^of,name,metric/);
    writeKept(folder, recordsOf(['beta'], 1, 'v1.1', 1)[0]); // as it was
    const record = recordsOf(['alpha'], 2, 'v1.1', 1)[1];
    writeKept(folder, { ...record, command: 'benchfolio run --another' });
    const second = made();
    await build(folder);
    assert.deepEqual(
      made().map((time, i) => time === second[i]),
      [false, true],
    );
    assert.match(built(folder, `${page}.html`), /run --another/);
    writeKept(folder, record);
    await build(folder);
  });

  it('names absolute addresses only where it was given them', async () => {
    assert.doesNotMatch(built(folder, `${page}.html`), /canonical|og:/);
    assert.ok(!builtFiles(folder).includes('sitemap.xml'));
    await build(folder, { baseUrl: 'https://example.com/bench/' });
    const [, address] = /<link rel="canonical" href="([^"]+)">/.exec(built(folder, `${page}.html`)) ?? [];
    const listed = [...built(folder, 'sitemap.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location);
    assert.equal(listed.length, builtFiles(folder, '.html').length - 2); // the method and its evidence are written, not made
    assert.ok(listed.map(decodeURIComponent).includes(decodeURIComponent(address)), address);
    assert.equal(address, `https://example.com/bench/${page}.html`);
    assert.match(built(folder, `${page}.html`), /href="(\.\.\/){4}systems\/alpha\.html"/);
  });

  it("lets the suite's own site/ override ours", async () => {
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
