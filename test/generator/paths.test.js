// What stands in a path must not mean anything to a program that is given it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, folderOf } from '../support/cli.js';

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9"
[scenarios.s]
executor = "constant-vus"
duration = "1s"
smoke = false
requests = [{ get = "/", think = "100ms", headers = { x = "\${env.PIN}" } }]
`;

for (const [player, file] of [
  ['native', 'histograms.ndjson'],
  ['javascript', 'timeline.ndjson'],
])
  test(`a folder of any name: what the ${player} player measures is written into it, and nowhere else`, async () => {
    const name = 'notes&tags=x; 50% of, c++ #1? ü "q" \'s\' $(x) `y` %41';
    const outside = await folderOf({
      notes: 'mine',
      [`${name}/bench.toml`]: '',
      [`${name}/specs/shop/spec.toml`]: spec,
    });
    const { code, stdout, stderr } = await benchfolio(['run', '--rounds', '1', '--player', player], {
      cwd: join(outside, name),
      env: { PIN: 'no' },
    });
    assert.equal(code, 1, stdout + stderr); // nobody answers there
    assert.match(stderr, /^PIN: fewer than 4 characters, which are not hidden/m); // not by its value
    const pages = await benchfolio(['site'], { cwd: join(outside, name) });
    assert.equal(pages.code, 0, pages.stdout + pages.stderr);
    const runs = join(outside, name, '.bench', 'runs');
    const [run] = (await readdir(runs)).filter((entry) => entry !== 'latest');
    assert.ok(existsSync(join(runs, run, 'shop', 'local', 's', 'round-1', file)));
    assert.equal(await readFile(join(outside, 'notes'), 'utf8'), 'mine');
    assert.deepEqual((await readdir(outside)).sort(), ['notes', name]);
  });
