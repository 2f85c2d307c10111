import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';
import { writeDeclaredSuite } from '../support/site/declared-suite.js';
import { parseCsv } from '../support/site/parse-csv.js';

const more = `
[[charts]]
title = "Two units"
scenarios = ["hello"]
x = "rate"
y = ["throughput_rps", "latency_ms_p50"]

[[charts]]
title = "Of nothing"
scenarios = ["upload"]
x = "rate"
y = "throughput_rps"

[[tables]]
title = "No cells"
by = "rate"

[[attachments]]
title = "Climber"
file = "../../bench.toml"
`;

describe('what a spec declares for its page', () => {
  const folder = temporarySuite({ systems: 1, cases: 6, versions: 2, fresh: false });
  /** @type {Awaited<ReturnType<typeof build>>} */
  let result;
  let page = '';
  before(async () => {
    writeDeclaredSuite(folder, { text: '<b>&', more });
    result = await build(folder);
    page = built(folder, 'systems/alpha.html');
  });
  const recordAt = (/** @type {string} */ environment, /** @type {number} */ rate) =>
    JSON.parse(built(folder, `versions/v1.1/alpha/${environment}/hello,rate=${rate}.json`));

  it('a table has the numbers of the records, each leading to its own', () => {
    const table = tableOf(page, 'Overhead');
    const [single, cluster] = ['single', 'cluster'].map((environment) => recordAt(environment, 1000).metrics);
    const row = (/** @type {string} */ title) => table.rows.find(([first]) => first.startsWith(title)) ?? [];
    assert.deepEqual(table.head, ['', 'One process', 'A cluster', 'change 99 % CI']);
    for (const [i, metrics] of [single, cluster].entries()) {
      assert.equal(Number(row('Response time')[i + 1]).toPrecision(2), metrics.latency_ms_p50.value.toPrecision(2));
      assert.equal(Number(row('throughput')[i + 1].replace(',', '')), Math.round(metrics.throughput_rps.value));
    }
    assert.match(row('p95 (p99)')[1], /^[\d.]+ ms \([\d.]+\)$/);
    assert.match(
      page,
      /href="\.\.\/versions\/v1\.1\/alpha\/cluster\/hello,rate=1000\.html#latency_ms_p50" title="[\d.]+ ms, rounds/,
    );
    assert.match(page, /href="\.\.\/versions\/v1\.1\/alpha\/cluster\/hello,rate=1000\.html#services"/);
  });

  it('a change is to by from, less one, with its interval; shares are in points; two numbers have none', () => {
    const { rows } = tableOf(page, 'Overhead');
    const changes = rows.map((row) => row.at(-1) ?? '');
    assert.equal(changes[2], '–');
    for (const i of [0, 1, 4]) assert.match(changes[i], /^[+−]?\d+(\.\d)? % \[−\d+\.\d, \+\d+\.\d\]$/);
    assert.match(changes[3], /^0\.00 points \[[−]?[\d.]+, \+?[\d.]+\]$/);
  });

  it('the table lies beneath the page as CSV, and in its JSON, as the records have it', () => {
    const { latency_ms_p50: p50 } = recordAt('cluster', 1000).metrics;
    const [, row] = parseCsv(built(folder, 'systems/alpha/table-1.csv'));
    assert.deepEqual([row.environment, Number(row['Response time, ms'])], ['cluster', p50.value]);
    assert.equal(row.record, 'versions/v1.1/alpha/cluster/hello,rate=1000.json');
    const [{ lines }] = JSON.parse(built(folder, 'systems/alpha.json')).tables;
    assert.equal(lines[1].cells[0].value, p50.value);
    assert.match(page, /href="\.\.\/systems\/alpha\/table-1\.csv" download/);
  });

  it('cases that differ in more have a line each; what is not there is an en dash with its reason', () => {
    const { rows } = tableOf(page, 'By rate');
    assert.deepEqual(
      rows.slice(0, 2).map(([title]) => title),
      ['1,000 single', '1,000 cluster'],
    );
    assert.deepEqual(
      rows.slice(0, 2).map(([, cell]) => cell),
      ['–', '40.0'],
    );
    assert.match(page, /<span title="the record has no such number">–<\/span>/);
    const saturated = rows.filter(([, , p50]) => p50.startsWith('⊘'));
    assert.ok(saturated.length, 'a number that does not count is marked');
  });

  it('requests are lines', () => {
    const { rows } = tableOf(page, 'Requests');
    assert.deepEqual(
      rows.map(([title, share]) => [title, share]),
      [
        ['GET /hello single', '100'],
        ['GET /hello cluster', '100'],
        ['GET /other <b>& cluster', '25'],
      ],
    );
  });

  it('what a reference published stands in a column of its own, beside what was measured', () => {
    const { head, rows } = tableOf(page, 'Beside what was published');
    assert.deepEqual(
      head.map((cell) => cell.replace(/ .*/, '')),
      ['rate', 'achieved', 'published', 'latency'],
    );
    assert.deepEqual(
      rows.map((row) => [row[0], row[2]]),
      [
        ['1,000', '998.5'],
        ['2,000', '<b>&'],
        ['3,000', '–'],
        ['4,000', '–'],
      ],
    );
    assert.match(page, /published: <a href="[^"]*systems\/alpha\.html#reference-1">Published &lt;b&gt;&amp;<\/a>/);
    assert.match(page, /<aside id="reference-1"/);
    const csv = parseCsv(built(folder, 'systems/alpha/table-4.csv'));
    assert.deepEqual(
      csv.map((row) => row['achieved, published, 1/s']),
      ['998.5', '<b>&', '', ''],
    );
    const { lines } = JSON.parse(built(folder, 'systems/alpha.json')).tables[3];
    assert.deepEqual(
      lines.map((/** @type {any} */ { cells }) => cells[0].published),
      ['998.5', '<b>&', undefined, undefined],
    );
  });

  it('a version has the tables of what was measured in it', () => {
    assert.deepEqual(tableOf(built(folder, 'versions/v1.0.html'), 'Overhead').rows[0].slice(2), ['–', '–']);
    assert.match(built(folder, 'versions/v1.0.html'), /<span title="not measured">–/);
    assert.ok(builtFiles(folder).includes('versions/v1.0/alpha.table-1.csv'));
  });

  it('charts of all types are drawn', () => {
    const results = page.slice(page.indexOf('id="results"'), page.indexOf('class="scenarios"'));
    const titles = [...results.matchAll(/<figcaption>([^<]*)/g)].map(([, title]) => title.trim());
    assert.deepEqual(titles, [
      'Asked and achieved &lt;b&gt;&amp;',
      'Setups',
      'Over time: latency, ms',
      'Over time: throughput',
      'Percentiles',
      'Shares',
    ]);
    assert.equal(results.match(/<svg width="368"/g)?.length, 6);
    assert.match(results, /class="slot-fault"/);
    assert.match(results, /as asked &lt;b&gt;&amp;/);
  });

  it('what cannot be drawn is said on the page, and of two units by the build', () => {
    assert.match(page, /<li><strong>Two units<\/strong>: the chart &#34;Two units&#34; mixes units/);
    assert.match(page, /<li><strong>Of nothing<\/strong>: not measured yet<\/li>/);
    assert.equal(result.code, 2);
    assert.match(
      result.err,
      /^left out: specs\/alpha\/spec\.toml: the chart "Two units" mixes units: throughput_rps is in 1\/s/m,
    );
  });

  it('what lacks what it needs is named', () => {
    assert.match(result.err, /^left out: specs\/alpha\/spec\.toml: tables 5 lacks what it needs; `benchfolio check`/m);
  });

  it('published numbers stand beside, said to be compared by no verdict', () => {
    assert.match(page, /<p class="kind">Published reference<\/p>\s*<h3>Published &lt;b&gt;&amp;<\/h3>/);
    assert.match(page, /<a href="https:\/\/example\.com\/numbers" rel="noopener">/);
    assert.match(page, /<dd>2024-01-18<\/dd>/);
    assert.match(page, /which no verdict compares with/);
    assert.doesNotMatch(page, /href="[^"]*javascript:/);
  });

  it('a file is text with its name and size; one outside of the folder is refused', () => {
    assert.match(
      page,
      /<summary>File &lt;b&gt;&amp; <small><code>app\.conf<\/code>, 16 bytes, environment cluster<\/small>/,
    );
    assert.match(page, /<pre tabindex="0">server \{ &lt;b&gt;&amp; \}\n<\/pre>/);
    assert.match(result.err, /bench\.toml: an attachment must lie in the folder of its system/);
    assert.doesNotMatch(page, /<summary>Climber/);
  });

  it('a record has its groups, faults, users and what was known over time', () => {
    const record = built(folder, 'versions/v1.1/alpha/cluster/hello,rate=1000.html');
    const faults = tableOf(record, '', 'faults');
    assert.deepEqual(faults.rows, [
      [
        '10 s to 12 s',
        'nginx<b>& stopped, and started again',
        '2.03 s, 2.1 s, –',
        '30, 41, 0',
        'at once, 1.5 s, –',
        'within 5 s',
      ],
    ]);
    assert.deepEqual(tableOf(record, '', 'groups').rows, [['list view', '200', '18.0', '40.0']]);
    const titles = [...record.matchAll(/<figcaption>([^<]*)/g)].map(([, title]) => title.trim());
    assert.deepEqual(titles, [
      'Latency by percentile',
      'The first round over time',
      'Users, network, memory over time',
      'How fast each user received',
      'Requests over time',
      'heap_bytes_mean',
    ]);
    assert.match(record, /receiving_rate <code>min&gt;900e3<\/code>[\s\S]*?950<\/span> <small>kB\/s/);
    const rows = parseCsv(built(folder, 'versions/v1.1/alpha/cluster/hello,rate=1000.csv'));
    const row = rows.find(({ of }) => of === 'group') ?? {};
    assert.deepEqual([row.name, row.metric, row.value], ['list view', 'duration_ms_p50', '18']);
    assert.match(record, /Of 2 users the slowest received 950 kB\/s/);
  });

  it('a change between machines is none', async () => {
    const file = join(folder, 'reports/versions/v1.1/alpha/cluster/hello,rate=1000.json');
    const record = JSON.parse(readFileSync(file, 'utf8'));
    record.fingerprint.cores = 64;
    writeFileSync(file, JSON.stringify(record));
    await build(folder);
    assert.match(built(folder, 'systems/alpha.html'), /<span title="not comparable: another number of cores">–/);
  });
});

describe('a table over several versions', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 1, fresh: false });
  before(async () => {
    writeDeclaredSuite(folder, {
      version: 'v9',
      more: `
[[tables]]
title = "Setups"
scenarios = ["hello", "upload"]
by = "scenario"
where = { rate = 1000, environment = "single" }
cells = [{ metric = "throughput_rps" }]
`,
    });
    await build(folder);
  });

  it('is of what was measured last, and names the version of each line', () => {
    const { head } = tableOf(built(folder, 'systems/alpha.html'), 'Overhead');
    assert.deepEqual(head.slice(1), ['One process v1.0', 'A cluster v9', 'change 99 % CI']);
  });

  it('has a line for what was not measured, with the reason of the spec', () => {
    const page = built(folder, 'systems/alpha.html');
    assert.deepEqual(
      tableOf(page, 'Setups').rows.map(([title]) => title),
      ['Hello World', 'Uploads'],
    );
    assert.match(page, /<span title="needs a larger disk">–<\/span>/);
  });
});

/**
 * The text of a table of a page.
 * @param {string} html
 * @param {string} caption what its heading begins with
 * @param {string} [label] the id that names it, where it has no heading of its own
 */
function tableOf(html, caption, label) {
  const begin = label ? html.indexOf(`aria-labelledby="${label}">\n<table>`) : html.indexOf(`<h3>${caption}`);
  assert.notEqual(begin, -1, `there is a table ${caption}${label}`);
  const table = html.slice(begin, html.indexOf('</table>', begin));
  const cells = (/** @type {string} */ row) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => textOf(cell));
  const [head, body] = [table.slice(0, table.indexOf('<tbody>')), table.slice(table.indexOf('<tbody>'))];
  return { head: cells(head), rows: body.split('<tr').slice(1).map(cells) };
}

/** @param {string} html */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#43;/g, '+')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
