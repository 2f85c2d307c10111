// A page that is missing, empty or another one is served fast: what came back from base is what head's answers are held to.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';

/** Answers well while `good.json` says so. Sizes of /vary differ by nature. */
const server = `
const good = require('./good.json');
let n = 0;
const json = { 'content-type': 'application/json' };
const page = 'x'.repeat(5600);
require('node:http').createServer((request, response) => {
  const send = (status, headers, body) => setTimeout(() => response.writeHead(status, headers).end(body), 3);
  n += 1;
  const answers = {
    '/empty': () => send(200, json, good ? page : ''),
    '/short': () => send(200, json, good ? page : '{"error":"no"}'),
    '/login': () => (good ? send(200, json, page) : send(302, { location: '/' }, '')),
    '/kind': () => send(200, good ? json : { 'content-type': 'text/html; charset=utf-8' }, page),
    '/same': () => send(200, json, good ? String(1e6 + n) : '1000000'),
    '/gone': () => send(good ? 200 : 204, {}, ''),
    '/vary': () => send(200, json, 'x'.repeat(Math.ceil(10 / (1 - Math.random())))),
    '/meant': () => send(200, json, good ? page : page + page + page),
    '/large': () => send(200, json, JSON.stringify({ text: 'x'.repeat(60000) })),
    '/lacks': () => send(200, json, JSON.stringify({ id: n, ...(good && { owner: 'Ann' }), tags: [1, 2] })),
    '/blank': () => send(200, json, JSON.stringify({ id: n, owner: good ? 'Ann' : '', pid: process.pid })),
  };
  (answers[request.url] ?? (() => send(200, json, 'ok')))();
}).listen(process.env.PORT, '127.0.0.1');`;

const names = ['empty', 'short', 'login', 'kind', 'same', 'gone', 'vary', 'meant', 'lacks', 'blank'];

/** @param {string[]} requests @param {string} load */
const specOf = (requests, load) => `${shop}[scenarios.list]
${load}
${requests.map((name) => `[[scenarios.list.requests]]\nget = "/${name}"\nname = "${name}"\n`).join('')}`;

const bench = `[duet]
load = false
blocks = 2
warmup = "200ms"
duration = "3s"
[compare]
gate = ["latency_ms_p50"]
tolerance = 1
[[accept]]
change = "shop/local/list: answers to request meant: mean size 5.60 kB -> 15.9 kB"
reason = "it shows all three"
`;

describe('the same work', { concurrency: 2 }, () => {
  test('a duet names each request that other answers came to, and is no pass', async () => {
    const folder = await repositoryOf(
      {
        'bench.toml': bench,
        'specs/shop/spec.toml': specOf(names, 'executor = "constant-vus"\nvus = 2\nduration = "20s"'),
        'specs/shop/server.cjs': server,
        'specs/shop/good.json': 'true',
      },
      {},
      { 'specs/shop/good.json': 'false' },
    );
    const { code, json, stderr, stdout } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const [list] = json.cases;
    assert.equal(list.verdict, 'invalid');
    assert.match(list.reason, /^Not the same work: /);
    const found = list.findings.filter((/** @type {any} */ { id }) => id === 'not-the-same-work');
    const texts = found.map((/** @type {any} */ { level, text }) => `${level} ${text}`).join('\n');
    for (const expected of [
      /^error .* request empty: mean size 5\.60 kB -> 0 B/m,
      /^error .* request short: mean size 5\.60 kB -> 14 B/m,
      /request login: redirected 0 % -> 100 %/,
      /request kind: content type application\/json 100 % -> 0 %, content type text\/html 0 % -> 100 %/,
      /request same: \d+ different bodies -> all the same/,
      /request gone: status 200 100 % -> 0 %, status 204 0 % -> 100 %/,
      /^error .* request lacks: "owner" is missing in (\d+) of \1 answers\. /m,
      /\[\[accept\]\] change = "shop\/local\/list: answers to request empty: mean size 5\.60 kB -> 0 B"/,
    ]) {
      assert.match(texts, expected);
    }
    assert.equal(found.length, 7, texts);
    const contents = list.findings.filter((/** @type {any} */ { id }) => id === 'other-contents');
    assert.deepEqual(
      contents.map((/** @type {any} */ { level, text }) => `${level} ${text.replace(/\d+/g, 'N')}`),
      [`info Other contents than base's: request blank: "owner" is empty in N of N answers.`],
    );
    const accepted = list.findings.find((/** @type {any} */ { id }) => id === 'other-answers');
    assert.match(accepted.text, /request meant, as accepted \(it shows all three\)/);
    assert.equal(list.measured.latency_ms_p50.valid, false);
  });

  // How many answers there are depends on the machine. `make native` holds both players to the same count.
  test('of large bodies no more than the first 300 kB in a block are described', async () => {
    const suite = {
      'bench.toml': bench,
      'specs/shop/spec.toml': specOf(['large'], 'executor = "constant-vus"\nvus = 2\nduration = "20s"'),
      'specs/shop/server.cjs': server,
      'specs/shop/good.json': 'true',
    };
    const folder = await repositoryOf(suite, {}, { note: 'another' });
    const { json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.ok(json, stdout + stderr);
    for (const side of ['base', 'head']) {
      const round = join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list', side, 'round-1', 'round.json');
      const { large } = JSON.parse(await readFile(round, 'utf8')).answers;
      assert.ok((large?.fields?.count ?? 0) <= 5, JSON.stringify(large));
    }
  });

  test('a run says that another page answered, and held to a kept record it is no pass', async () => {
    const load = 'executor = "shared-iterations"\nvus = 4\niterations = 80';
    const folder = await folderOf({
      'bench.toml': '[run]\nplayer = "javascript"\n[compare]\ngate = ["errors_ratio"]\n',
      'specs/shop/spec.toml': specOf(['login'], load).replace(
        'name = "login"',
        'name = "login"\nexpect = { status = 200 }',
      ),
      'specs/shop/server.cjs': server,
      'specs/shop/good.json': 'true',
    });
    const run = (/** @type {string[]} */ ...args) => spawnBenchfolio(args, { cwd: folder });
    const first = await run('run', '--rounds', '2');
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const kept = await run('keep', 'v1');
    assert.equal(kept.code, 0, kept.stdout + kept.stderr);
    await writeFile(join(folder, 'specs', 'shop', 'good.json'), 'false');
    const { stdout, code } = await run('run', '--rounds', '2', '--baseline', 'v1', '--json');
    const [list] = JSON.parse(stdout).cases;
    const texts = list.findings.map((/** @type {any} */ { level, text }) => `${level} ${text}`).join('\n');
    const rates =
      /^warn Most responses were redirected .*login \d+ of \d+.* ([\d.,]+)\/s of them for ([\d.,]+) iterations\/s/m.exec(
        texts,
      );
    const [requests, iterations] = (rates ?? []).slice(1).map((text) => Number(text.replaceAll(',', '')));
    assert.ok(Math.abs(requests / iterations - 2) < 0.02, texts);
    assert.match(texts, /^error Not the same work: request login: redirected 0 % -> 100 %/m);
    assert.equal(code, 3, stdout);
  });
});
