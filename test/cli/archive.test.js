import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { benchfolio, folderOf } from '../support/cli.js';
import { scratchFolder } from '../support/scratch.js';

/** @import { AddressInfo } from 'node:net' */

const run = promisify(execFile);

/** A suite whose only system reads rows from a file. */
const suite = () =>
  folderOf({
    'bench.toml': '',
    'specs/shop/items.csv': ['item', ...Array.from({ length: 40 }, (_, i) => `i${i}`)].join('\n'),
    'specs/shop/spec.toml': `
title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "app.js", "\${port}"]
[environments.there]
url = "http://127.0.0.1:1"
[scenarios.once]
executor = "shared-iterations"
vus = 4
iterations = "\${iterations}"
sweep = { iterations = [40, 400] }
rows = { file = "items.csv" }
[[scenarios.once.requests]]
get = "/items/\${row.item}"
`,
  });

describe('archive', () => {
  /** @type {string[]} */
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('ok');
  });
  before(
    () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(undefined));
      }),
  );
  after(() => server.close());

  const archive = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    benchfolio(['archive', ...args], { cwd });

  for (const player of ['javascript', 'native'])
    test(`runs with k6 from another folder, whole or in segments that make the whole, by the ${player} player`, async () => {
      const folder = await suite();
      const { stdout } = await archive(
        folder,
        'shop',
        '--env',
        'local',
        '--set',
        'iterations=40',
        '--output',
        'case.tar',
        '--player',
        player,
      );
      assert.match(stdout, /k6 run -e BASE_URL=http:\/\/<host>:<port> .*case\.tar/);
      const elsewhere = scratchFolder('elsewhere');
      const k6 = await findTool('k6', { native: player === 'native' });
      const address = /** @type {AddressInfo} */ (server.address());
      const send = (/** @type {string[]} */ ...args) =>
        run(
          k6.path,
          [
            'run',
            '--no-usage-report',
            '--quiet',
            ...args,
            '-e',
            `BASE_URL=http://127.0.0.1:${address.port}`,
            join(folder, 'case.tar'),
          ],
          { cwd: elsewhere, env: { PATH: process.env.PATH, HOME: elsewhere, K6_AUTO_EXTENSION_RESOLUTION: 'false' } },
        );
      const all = Array.from({ length: 40 }, (_, i) => `/items/i${i}`).sort();

      const whole = await send();
      assert.match(whole.stdout, /requests +40/);
      assert.deepEqual(seen.splice(0).sort(), all);

      const sequence = ['--execution-segment-sequence', '0,1/4,1'];
      await Promise.all([
        send('--execution-segment', '0:1/4', ...sequence),
        send('--execution-segment', '1/4:1', ...sequence),
      ]);
      assert.deepEqual(seen.splice(0).sort(), all, 'each row once');
    });

  test('holds one case, and says how to choose it', async () => {
    const folder = await suite();
    const { code, stderr } = await archive(folder, 'shop');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /one case, and these are 2\n {2}local\/once,iterations=40\n {2}local\/once,iterations=400\nChoose/,
    );
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('tar')),
      [],
    );
  });

  test('keeps the address of a spec that has one', async () => {
    const folder = await suite();
    const { stdout } = await archive(folder, 'shop', '--env', 'there', '--set', 'iterations=40');
    assert.match(stdout, /shop-once,iterations=40\.tar: shop, there, once,iterations=40\n(.*\n)+.* k6 run \S+\.tar\n/);
  });
});
