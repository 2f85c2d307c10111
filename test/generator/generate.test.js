import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTar } from '../../dist/base/io/tar.js';
import { frameReader } from '../../dist/run/cluster/results-frame.js';
import { benchfolio, folderOf, spawnBenchfolio, startBenchfolio } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { resume, untilPaused, waitingServer } from '../support/parts.js';
import { startedIn } from '../support/situations.js';
import { until } from '../support/until.js';

const token = 'a-secret-of-theirs';

/** @param {string} url */
const suite = (url) =>
  folderOf({
    'bench.toml': '',
    'specs/shop/waits.csv': 'ms,id\n1,one\n1,two\n1,three\n1,four\n',
    'specs/shop/body.txt': 'of the archive',
    'specs/shop/spec.toml': `
title = "Shop"
[environments.there]
url = "${url}"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["true", "\${port}"]
[scenarios.once]
executor = "shared-iterations"
vus = 2
iterations = 4
rows = { file = "waits.csv" }
[[scenarios.once.requests]]
post = "/wait/\${row.ms}/\${row.id}"
body = { file = "body.txt" }
headers = { authorization = "\${env.SHOP_TOKEN}" }
[scenarios.long]
executor = "constant-vus"
vus = 2
duration = "60s"
requests = [{ get = "/wait/5", name = "wait" }]
`,
  });

describe('generate', () => {
  /** @type {Awaited<ReturnType<typeof waitingServer>>} */
  let server;
  let folder = '';
  const env = { SHOP_TOKEN: token };
  before(async () => {
    server = await waitingServer();
    folder = await suite(server.url);
    const packed = [
      ['--scenario', 'once', '--env', 'there', '--output', 'native.tar'],
      ['--scenario', 'once', '--env', 'there', '--output', 'javascript.tar', '--player', 'javascript'],
      ['--scenario', 'long', '--env', 'there', '--output', 'long.tar'],
      ['--scenario', 'once', '--env', 'local', '--output', 'local.tar'],
    ];
    for (const options of packed) {
      const { code, stderr } = await benchfolio(['archive', 'shop', ...options], { cwd: folder });
      assert.equal(code, 0, stderr);
    }
    writeFileSync(join(folder, 'specs/shop/waits.csv'), 'ms,id\n1,of this machine\n');
    renameSync(join(folder, 'specs/shop/body.txt'), join(folder, 'gone'));
  });
  after(() => server.close());

  for (const player of ['native', 'javascript'])
    test(`the ${player} player sends what was packed, whatever is here now, and keeps no secret`, async () => {
      server.seen.length = 0;
      const { code, stderr } = await spawnBenchfolio(['generate', `${player}.tar`, '--output', player], {
        cwd: folder,
        env,
      });
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        server.seen.toSorted(),
        ['four', 'one', 'three', 'two'].map((id) => `/wait/1/${id}`),
      );
      const files = readdirSync(join(folder, player));
      const measured = player === 'native' ? 'histograms.ndjson' : 'timeline.ndjson';
      assert.deepEqual(
        files.sort(),
        ['case.json', 'generator.json', measured, 'k6.log', 'services.ndjson', 'summary.json'].sort(),
      );
      for (const name of [`../${player}.tar`, ...files]) {
        assert.doesNotMatch(readFileSync(join(folder, player, name), 'latin1'), new RegExp(token), name);
      }
      const said = JSON.parse(readFileSync(join(folder, player, 'generator.json'), 'utf8'));
      assert.equal(said.complete_iterations, 4);
      assert.equal(said.player, player);
      const [answers] = /** @type {any[]} */ (Object.values(said.answers));
      assert.equal(answers.statuses[200], answers.count);
    });

  test('waits until it is resumed, prints its progress, and at the end its results', async () => {
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const { done } = startBenchfolio(
      [
        'generate',
        'native.tar',
        '--part',
        '2/2',
        '--output',
        'framed',
        '--paused',
        '--address',
        address,
        '--print-results',
      ],
      { cwd: folder, env },
    );
    await untilPaused(port);
    server.seen.length = 0;
    await resume(port);
    const { code, stdout, stderr } = await done;
    assert.equal(code, 0, stderr);
    assert.equal(server.seen.length, 2, 'half of the load');
    const reader = frameReader();
    const others = stdout.split('\n').filter((line) => line !== '' && !reader.read(line));
    assert.match(others.join('\n'), /^running \(.*2 complete and 0 interrupted iterations/m);
    const { state, data, problem } = reader.frame();
    assert.equal(state, 'whole', String(problem));
    writeFileSync(join(folder, 'framed.tar'), /** @type {Buffer} */ (data));
    const entries = openTar(join(folder, 'framed.tar'));
    assert.deepEqual([...entries.keys()].sort(), readdirSync(join(folder, 'framed')).sort());
    for (const [name, { content }] of entries)
      assert.deepEqual(content(), readFileSync(join(folder, 'framed', name)), name);
    assert.ok(stdout.split('\n').every((line) => line.length <= 8000));
  });

  test('ended by a signal it leaves nothing running and nothing that is whole, and says so', async () => {
    const { child, done } = startBenchfolio(['generate', 'long.tar', '--output', 'ended', '--print-results'], {
      cwd: folder,
      env,
    });
    await until(
      () => server.seen.some((url) => url === '/wait/5'),
      () => 'no request came',
    );
    child.kill('SIGTERM');
    const { code, stdout } = await done;
    assert.equal(code, 130);
    assert.match(stdout, /^benchfolio-failed \{"reason":"it was ended by a signal"\}$/m);
    assert.ok(!readdirSync(join(folder, 'ended')).includes('generator.json'));
    await until(
      () => startedIn(folder).length === 0,
      () => `left running: ${JSON.stringify(startedIn(folder))}`,
    );
    const merged = await benchfolio(['merge', 'ended'], { cwd: folder });
    assert.match(merged.stderr, /ended is not whole/);
  });

  test('killed, it leaves no k6', async () => {
    const { child, done } = startBenchfolio(['generate', 'long.tar', '--output', 'killed'], { cwd: folder, env });
    server.seen.length = 0;
    await until(
      () => server.seen.length > 0,
      () => 'no request came',
    );
    child.kill('SIGKILL');
    await done;
    await until(
      () => startedIn(folder).length === 0,
      () => `left running: ${JSON.stringify(startedIn(folder))}`,
    );
  });

  test('gives up when nobody resumes it', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const options = ['--paused', '--address', address, '--start-timeout', '2s', '--print-results'];
    const { code, stdout } = await spawnBenchfolio(['generate', 'native.tar', '--output', 'alone', ...options], {
      cwd: folder,
      env,
    });
    assert.equal(code, 4);
    assert.match(stdout, /^benchfolio-failed \{"reason":"nothing resumed k6 within 2 s at 127\.0\.0\.1:\d+"\}$/m);
  });

  /** @type {[string, string[], Record<string, string | undefined>, number, RegExp][]} */
  const refused = [
    [
      'nobody says where requests go',
      ['local.tar'],
      env,
      2,
      /local\.tar does not say where requests go: .*\nSay it with --url/,
    ],
    [
      'a secret is not set',
      ['native.tar'],
      { SHOP_TOKEN: undefined },
      2,
      /not set: SHOP_TOKEN\nSecrets are in no archive/,
    ],
    [
      'there are more parts than users',
      ['native.tar', '--part', '1/3'],
      env,
      2,
      /3 parts share 2 users.*\nCut it into 2/,
    ],
    ['a part is none', ['native.tar', '--part', '3/2'], env, 2, /--part.*3\/2.*2\/4/s],
    ['there is no archive', ['nowhere.tar'], env, 2, /nowhere\.tar cannot be run: it does not exist\nPack it again/],
    ['it is none', ['bench.toml'], env, 2, /bench\.toml cannot be run: it is not a tar archive/],
    [
      'there are results already',
      ['native.tar', '--output', 'native'],
      env,
      2,
      /native has results of another time in it/,
    ],
  ];
  for (const [why, args, environment, exit, message] of refused) {
    test(`is refused where ${why}`, async () => {
      const { code, stderr } = await benchfolio(['generate', '--output', 'refused', ...args], {
        cwd: folder,
        env: { BASE_URL: undefined, ...environment },
      });
      assert.equal(code, exit, stderr);
      assert.match(stderr, message);
      assert.ok(!readdirSync(folder).includes('refused'));
    });
  }
});
