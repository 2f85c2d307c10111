// Killed at any moment, --missing ends with the same records: none half, none twice, none rewritten.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordProblem } from '../../dist/records/schema.js';
import { folderOf, spawnBenchfolio, startBenchfolio } from '../support/cli.js';
import { numbers } from '../support/secrets.js';
import { shopFiles } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

const kills = 10;
const pages = Array.from({ length: 3 * kills }, (_, i) => i + 1);
const scenario = `[scenarios.page]
executor = "constant-vus"
vus = 1
duration = "1s"
sweep = { page = [${pages}] }
[[scenarios.page.requests]]
get = "/\${page}"
think = "20ms"
`;
const all = pages.map((page) => `page,page=${page}.json`).sort();

test('killed ten times at random moments, it ends with every record once', async () => {
  const folder = await folderOf(shopFiles(scenario));
  const place = join(folder, 'reports', 'versions', 'v1', 'shop', 'local');
  const random = numbers(20261126);
  /** @type {Map<string, string>} what was kept, as it was first */
  const first = new Map();
  const look = () => {
    for (const name of existsSync(place) ? readdirSync(place) : []) {
      const text = readFileSync(join(place, name), 'utf8');
      assert.ok(all.includes(name), `${name} is a record`);
      assert.equal(recordProblem(JSON.parse(text)), null, name);
      assert.equal(text, first.get(name) ?? text, `${name} is as it was`);
      first.set(name, text);
    }
  };
  for (let killed = 0; killed < kills; killed += 1) {
    const { child, done } = startBenchfolio(['run', '--version', 'v1', '--missing'], { cwd: folder });
    setTimeout(() => child.kill('SIGKILL'), random(6000));
    const { code, stderr } = await done;
    assert.equal(code, null, stderr);
    look();
  }
  assert.ok(first.size < all.length, 'there is something left to measure');
  const { code, stdout, stderr } = await spawnBenchfolio(['run', '--version', 'v1', '--missing'], { cwd: folder });
  assert.equal(code, 0, stdout + stderr);
  look();
  assert.deepEqual([...first.keys()].sort(), all);
  await assertNothingLeft(folder);
});
