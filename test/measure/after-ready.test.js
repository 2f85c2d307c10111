// Steps between ready and load: a database of its own that is filled by a command, and a login whose token requests need.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { cacheOf, repositoryOf } from '../support/commits.js';
import { assertNowhere, lastRun, readJson } from '../support/situations.js';

const password = 'correct horse battery staple';

/**
 * A login gives a token that no other start knows, once the data is there; items are for those who have it. It writes the
 * tokens down where no record is made of: the test looks for them everywhere else.
 */
const server = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const token = 'token-' + require('node:crypto').randomUUID();
require('node:http').createServer((request, response) => {
  const data = process.env.DATA;
  const answer = (status, body) => { response.statusCode = status; response.setHeader('Content-Type', 'application/json'); response.end(JSON.stringify(body)); };
  if (request.url === '/') return answer(200, {});
  if (request.url === '/slow') return;
  if (request.url === '/moved') { response.setHeader('Location', 'http://127.0.0.1:9/'); return answer(302, {}); }
  if (request.url === '/login') {
    let body = '';
    request.on('data', (piece) => body += piece).on('end', () => {
      if (!existsSync(data)) return answer(500, { error: 'no data' });
      if (JSON.parse(body).password !== process.env.SHOP_PASSWORD) return answer(401, { error: 'no, ' + body });
      appendFileSync(process.env.TOKENS, token + '\\n');
      answer(201, { session: [{ token }], rows: JSON.parse(body).rows });
    });
    return;
  }
  const good = request.headers.authorization === 'Bearer ' + token;
  if (!good) appendFileSync(process.env.TOKENS, 'refused\\n');
  answer(good ? 200 : 403, { id: request.url, rows: 12 });
}).listen(process.env.PORT, '127.0.0.1');
`;

const seed = `
const [file, rows] = process.argv.slice(2);
require('node:fs').writeFileSync(file, 'x'.repeat(rows));
console.error('seeding');
console.log(JSON.stringify({ made: { rows: Number(rows) } }));
`;

const environment = (steps = '') => `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.cjs"]
env = { PORT = "\${port}", DATA = "\${run.dir}/data-\${port}", TOKENS = "\${env.SHOP_TOKENS}", SHOP_PASSWORD = "\${env.SHOP_PASSWORD}" }
ready = "http://127.0.0.1:\${port}/"
${steps}
`;

const steps = `
[[environments.local.after_ready]]
name = "seed"
command = ["node", "seed.cjs", "\${run.dir}/data-\${port}", "12"]
capture = { rows = { json = "made.rows" } }
secret = false
[[environments.local.after_ready]]
name = "login"
post = "/login"
body = { json = { password = "\${env.SHOP_PASSWORD}", rows = "\${ready.rows}" } }
status = 201
capture = { token = { json = "session.0.token" }, seen = { json = "rows" } }
`;

const scenario = `
[scenarios.items]
executor = "shared-iterations"
vus = 5
iterations = 50
[[scenarios.items.requests]]
get = "/items/\${ready.seen}"
name = "item"
headers = { Authorization = "Bearer \${ready.token}" }
expect = { status = 200, json = { id = "/items/\${ready.seen}", rows = "\${ready.rows}" } }
[scenarios.scripted]
executor = "constant-vus"
vus = 1
duration = "1s"
script = "item.js"
`;

const script = `
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
const item = bench.request({ get: '/items/\${ready.seen}', headers: { Authorization: 'Bearer \${ready.token}' }, expect: { status: 200 } });
export default bench.iteration(() => { item(); });
`;

/** @param {string} spec */
const files = (spec) => ({
  'bench.toml': '[duet]\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\nload = false\n[compare]\nalpha = 1e-9\n', // nothing is decided
  'specs/shop/spec.toml': spec,
  'specs/shop/server.cjs': server,
  'specs/shop/seed.cjs': seed,
  'specs/shop/item.js': script,
});

const place = mkdtempSync(join(tmpdir(), 'benchfolio-tokens-'));
after(() => rmSync(place, { recursive: true, force: true }));
let tests = 0;

/** What services of a test know. @returns {{ SHOP_PASSWORD: string, SHOP_TOKENS: string }} */
const environmentOf = () => ({ SHOP_PASSWORD: password, SHOP_TOKENS: join(place, `tokens-${++tests}`) });

/** @param {{ SHOP_TOKENS: string }} env @returns {string[]} tokens that were given out, and "refused" for each request without */
const tokensIn = ({ SHOP_TOKENS }) => readFileSync(SHOP_TOKENS, 'utf8').trim().split('\n');

describe('after_ready', () => {
  for (const player of ['native', 'javascript']) {
    test(`what steps capture stands in requests, of the ${player} player and of scripts, and is no secret's leak`, async () => {
      const env = environmentOf();
      const folder = await folderOf(files(environment(steps) + scenario));
      const args = ['run', '--rounds', '1', '--player', player];
      const { code, stderr, stdout } = await spawnBenchfolio(args, { cwd: folder, env });
      assert.equal(code, 0, stderr + stdout);
      const run = await lastRun(folder);
      for (const name of ['items', 'scripted']) {
        const record = await readJson(join(run, 'shop/local', name, 'record.json'));
        assert.equal(record.player ?? 'javascript', name === 'items' ? player : 'javascript');
        assert.equal(record.metrics.errors_ratio.value, 0, name);
        assert.ok(record.metrics.throughput_rps.count > 0, name);
      }
      const tokens = tokensIn(env);
      assert.equal(new Set(tokens).size, 2, 'a login for each start');
      for (const secret of [password, ...tokens]) {
        await assertNowhere(folder, secret);
        assert.ok(!(stderr + stdout).includes(secret));
      }
      assert.match(readFileSync(join(run, 'shop/local/items/after_ready.log'), 'utf8'), /^seeding$/m);
    });
  }

  test('an expectation of a captured token that fails while the load runs does not tell it', async () => {
    // The first answers are right: what is tried before the load passes.
    const turns = server.replace(
      'answer(good ? 200 : 403, { id: request.url, rows: 12 });',
      "globalThis.count = (globalThis.count ?? 0) + 1; answer(200, { id: globalThis.count < 4 ? token : 'not ' + token });",
    );
    const scenarios = scenario
      .replace(/\[scenarios\.scripted\][\s\S]*/, '')
      .replace(/expect = .*/, 'expect = { json = { id = "${ready.token}" } }');
    const all = { ...files(environment(steps) + scenarios), 'specs/shop/server.cjs': turns };
    const env = environmentOf();
    const folder = await repositoryOf(all, { note: 'a' }, { note: 'b' });
    const run = await spawnBenchfolio(['run', '--rounds', '1'], { cwd: folder, env });
    assert.match(run.stdout, /GET \/items\/12|item: id is/, run.stdout + run.stderr);
    const options = { cwd: folder, env: { ...env, XDG_CACHE_HOME: cacheOf(folder) } };
    const duet = await spawnBenchfolio(['duet', 'HEAD~1', 'HEAD', 'shop', '--json'], options);
    const comment = await spawnBenchfolio(['comment', '--dry-run'], options);
    for (const secret of tokensIn(env).filter((token) => token !== 'refused')) {
      await assertNowhere(folder, secret);
      for (const { stdout, stderr } of [run, duet, comment]) assert.ok(!(stdout + stderr).includes(secret));
    }
  });

  test('each side of a duet has its own', async () => {
    const folder = await repositoryOf(files(environment(steps) + scenario), { note: 'a' }, { note: 'b' });
    const env = environmentOf();
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', 'HEAD', 'shop', '--json'], {
      cwd: folder,
      env: { ...env, XDG_CACHE_HOME: cacheOf(folder) },
    });
    assert.equal(code, 3, stderr);
    const tokens = tokensIn(env);
    assert.ok(!tokens.includes('refused'), 'a token of the other side');
    assert.equal(tokens.length, 2 * 2 * 2, 'a login for each start: of two cases in two blocks on two sides');
    for (const secret of tokens) {
      assert.ok(!(stdout + stderr).includes(secret));
      await assertNowhere(folder, secret);
    }
  });

  describe('a step that fails is the case of its environment, with why', () => {
    const broken = /** @type {[string, string, RegExp][]} */ ([
      [
        'status',
        'post = "/login"\nbody = { json = { password = "${env.SHOP_PASSWORD}-" } }',
        /POST \/login: status 500, expected 200 to 399/,
      ],
      ['redirect', 'get = "/moved"\nstatus = 200', /GET \/moved: status 302, expected 200/],
      [
        'nothing',
        'get = "/"\ncapture = { token = { json = "token" } }',
        /has nothing to capture as "token": there is no json token/,
      ],
      ['endless', 'get = "/slow"\ntimeout = "500ms"', /GET \/slow: no response within 500ms/],
      ['refused', 'get = "http://127.0.0.1:9/"', /GET http:\/\/127\.0\.0\.1:9\/: /],
      [
        'command',
        'command = ["node", "-e", "console.error(process.env.SHOP_PASSWORD); process.exit(3)"]',
        /failed: `node -e .*` ended with exit code 3/,
      ],
      ['hangs', 'command = ["node", "-e", "setInterval(() => {}, 1000)"]\ntimeout = "500ms"', /did not end within/],
      [
        'mute',
        'command = ["node", "-e", "0"]\ncapture = { token = { regex = ".+" } }',
        /has nothing to capture as "token": there is no regex \.\+/,
      ],
      ['missing', 'command = ["no-such-program"]', /cannot be started: there is no program "no-such-program"/],
    ]);
    /** @type {Record<string, any>} */
    let cases = {};
    let folder = '';
    let stderr = '';
    before(async () => {
      const elsewhere = 'hosts = ["http://127.0.0.1:9"]\nexternal = ["http://127.0.0.1:9"]\n';
      const [title, ...lines] = environment().split('\n');
      const text = broken.map(([name, step]) =>
        [
          ...lines.slice(0, 2),
          elsewhere,
          ...lines.slice(2),
          '[[environments.local.after_ready]]',
          `name = "${name}"`,
          step,
        ]
          .join('\n')
          .replaceAll('environments.local', `environments.${name}`),
      );
      const plain = scenario
        .replaceAll('${ready.seen}', '1')
        .replaceAll('${ready.token}', 'x')
        .replaceAll('${ready.rows}', '1')
        .split('[scenarios.scripted]')[0];
      folder = await folderOf(files([title, ...text, plain].join('\n')));
      ({ stderr } = await spawnBenchfolio(['run', '--rounds', '1', '--env', 'all'], {
        cwd: folder,
        env: environmentOf(),
      }));
      const { cases: all } = await readJson(join(await lastRun(folder), 'run.json'));
      cases = Object.fromEntries(all.map((/** @type {any} */ one) => [one.environment, one]));
    });
    for (const [name, , reason] of broken) {
      test(name, () => {
        assert.equal(cases[name]?.status, 'error', stderr);
        assert.match(cases[name].reason, reason);
        assert.ok(cases[name].reason.startsWith(`the step "${name}" of after_ready `), cases[name].reason);
      });
    }
    test('no secret in any of it', async () => {
      await assertNowhere(folder, password);
      assert.ok(!stderr.includes(password));
    });
  });
});
