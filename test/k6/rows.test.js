// Rows from files: their formats, and who gets which.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inParts } from '../../dist/suite/cases/cases.js';
import { drive, scenario } from '../support/k6/drive.js';
import { sha256, startTarget } from '../support/k6/target.js';

/** @import { Drive } from '../support/k6/drive.js' */

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target;
before(async () => {
  target = await startTarget();
});
after(() => target.close());
beforeEach(() => {
  target.seen.length = 0;
});

const twelve = Array.from({ length: 12 }, (_, i) => i);
/** How often each item is there, in order. @param {string[]} items */
const countOf = (items) =>
  Object.fromEntries([...new Set(items)].sort().map((item) => [item, items.filter((one) => one === item).length]));
const thirty = 'executor = "shared-iterations"\nvus = 3\niterations = 30';

/**
 * @param {string} rows TOML
 * @param {Record<string, string>} files
 * @param {{ request?: string, load?: string } & Partial<Drive>} [options]
 */
const send = (rows, files, { request = 'get = "/${row.package}/-/${row.asset}"', load = thirty, env, change } = {}) =>
  drive({
    spec: scenario(`rows = ${rows}\n[[scenarios.s.requests]]\n${request}`, load),
    files,
    env: { BASE_URL: target.url, ...env },
    change,
  });

test('CSV with a delimiter of two characters and no header; users share one cursor, over and over', async () => {
  const csv = twelve.map((i) => `@scope/p-${i}, p ${i}#.tgz\n`).join('');
  const options = `delimiter = ", ", header = false, columns = ["package", "asset"], sha256 = "${sha256(csv)}"`;
  const { code } = await send(`{ file = "data.csv", ${options} }`, { 'data.csv': csv });
  assert.equal(code, 0);
  const counts = countOf(target.seen.map(({ path }) => path));
  assert.deepEqual(
    counts,
    Object.fromEntries(
      twelve.map((i) => [`/@scope/p-${i}/-/p%20${i}%23.tgz`, i < 6 ? 3 : 2]).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
});

test('CSV with a header, quotes, empty fields and \\r\\n', async () => {
  const csv = '\uFEFFpackage,unused,asset\r\n"a, ""b""",x,"two\nlines"\r\n\r\nplain,,\r\n';
  await send('{ file = "data.csv" }', { 'data.csv': csv }, { load: 'executor = "per-vu-iterations"\niterations = 2' });
  assert.deepEqual(
    target.seen.map(({ path }) => decodeURIComponent(path)),
    ['/a, "b"/-/two\nlines', '/plain/-/'],
  );
});

test('JSON lines keep their types; a user can have a row of its own', async () => {
  const jsonl = '{"n": 1, "tags": ["x"], "path": "/as/is?q=1"}\n{"n": 2.5, "tags": [], "path": "/as/is?q=2"}\n';
  await send(
    '{ file = "data.jsonl", order = "user" }',
    { 'data.jsonl': jsonl },
    {
      request: 'post = "${row.path}"\nbody = { json = { n = "${row.n}", tags = "${row.tags}", text = "n=${row.n}" } }',
      load: 'executor = "per-vu-iterations"\nvus = 3\niterations = 2',
    },
  );
  assert.deepEqual(countOf(target.seen.map(({ query, body }) => `${query} ${body}`)), {
    'q=1 {"n":1,"tags":["x"],"text":"n=1"}': 4, // users 1 and 3
    'q=2 {"n":2.5,"tags":[],"text":"n=2.5"}': 2,
  });
});

test('a list of JSON objects, taken at random', async () => {
  const rows = JSON.stringify(twelve.map((i) => ({ package: `p${i}`, asset: 'a' })));
  const load = 'executor = "shared-iterations"\nvus = 2\niterations = 1200';
  await send('{ file = "data.json", order = "random" }', { 'data.json': rows }, { load });
  const counts = Object.values(countOf(target.seen.map(({ path }) => path)));
  assert.equal(counts.length, 12);
  // 100 expected of each, with a standard deviation of 9.6
  assert.ok(
    counts.every((count) => count > 50 && count < 150),
    String(counts),
  );
  const inTurn = target.seen.slice(0, 24).map(({ path }) => path);
  assert.notDeepEqual(
    inTurn,
    twelve.concat(twelve).map((i) => `/p${i}/-/a`),
  );
});

test('the second part of a cut window begins in the middle of the rows', async () => {
  const csv = `package,asset\n${twelve.map((i) => `p${i},a\n`).join('')}`;
  const load = 'executor = "constant-vus"\nduration = "4s"';
  await send(
    '{ file = "data.csv" }',
    { 'data.csv': csv },
    { load, env: { PART: '2' }, change: (benchCase) => inParts(benchCase, 4) },
  );
  assert.equal(target.seen[0].path, '/p3/-/a');
});

test('data that is not what the spec says is refused, and nothing is sent', async () => {
  const refuses = async (/** @type {string} */ csv, /** @type {RegExp} */ message, options = '') =>
    assert.match((await send(`{ file = "data.csv"${options} }`, { 'data.csv': csv })).log, message);
  await refuses('package,file\na,b\n', /^benchfolio: data\.csv has no column "asset", only package, file$/m);
  await refuses('package,asset\n', /^benchfolio: data\.csv has no rows$/m);
  await refuses('package,asset\na,b\nc\n', /^benchfolio: data\.csv: row 2 has 1 fields, for 2 columns \(package, /m);
  await refuses('package,asset\n"a,b\n', /^benchfolio: data\.csv: a quote is not closed/m);
  const other = `, sha256 = "${sha256('other')}"`;
  await refuses('package,asset\na,b\n', /^benchfolio: data\.csv is not the file that the spec names: its sha/m, other);
  const json = '{ file = "data.json" }';
  assert.match((await send(json, {})).log, /^benchfolio: cannot open the rows .*data\.json/m);
  assert.match((await send(json, { 'data.json': '{' })).log, /^benchfolio: data\.json is not JSON/m);
  assert.equal(target.seen.length, 0);
});

const once = { load: 'executor = "per-vu-iterations"', request: 'post = "/a"\nbody = { json = { id = "${row.id}" } }' };

test('values of CSV are text, unless their column has a type', async () => {
  const files = { 'data.csv': 'id,unused\n7,x\n' };
  await send('{ file = "data.csv" }', files, once);
  await send('{ file = "data.csv", types = { id = "number" } }', files, once);
  assert.deepEqual(
    target.seen.map(({ body }) => String(body)),
    ['{"id":"7"}', '{"id":7}'],
  );
});

for (const [what, csv, types, expected] of /** @type {const} */ ([
  ['a value that is no number', 'id\n7\n0x7\n', 'id = "number"', 'data.csv: row 2: id is "0x7", and no number'],
  ['an empty value', 'id,b\n,1\n', 'id = "number"', 'data.csv: row 1: id is "", and no number'],
  ['a value that is no boolean', 'id\nyes\n', 'id = "boolean"', 'data.csv: row 1: id is "yes", and no boolean'],
  ['a column that is not there', 'id\n7\n', 'ids = "number"', 'data.csv has no column "ids", only id'],
])) {
  test(`refuses ${what}`, async () => {
    const { code, log } = await send(`{ file = "data.csv", types = { ${types} } }`, { 'data.csv': csv }, once);
    assert.notEqual(code, 0);
    assert.ok(log.includes(`benchfolio: ${expected}`), log);
    assert.deepEqual(target.seen, []);
  });
}
