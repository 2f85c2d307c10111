import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, folderOf, root, spawnBenchfolio } from '../support/cli.js';

test('help fits a screen and names every verb', async () => {
  const { code, stdout } = await benchfolio(['--help']);
  assert.equal(code, 0);
  assert.ok(stdout.split('\n').length <= 30 && stdout.split('\n').every((line) => line.length <= 80), stdout);
  for (const file of readdirSync(join(root, 'dist', 'cli', 'commands')).filter((name) => name.endsWith('.js'))) {
    assert.match(stdout, new RegExp(`^  ${file.slice(0, -'.js'.length)} `, 'm'));
  }
});

test('a misspelt verb is refused with the one that was meant', async () => {
  const { code, stderr } = await spawnBenchfolio(['chekc']);
  assert.equal(code, 2);
  assert.match(stderr, /unknown command 'chekc'/);
  assert.match(stderr, /Did you mean check\?/);
});

test('an unknown option is refused', async () => {
  const { code, stderr } = await benchfolio(['run', '--quik']);
  assert.equal(code, 2);
  assert.match(stderr, /Did you mean --quick\?/);
});

test('outside a suite the error says what to do, without a stack', async () => {
  const { code, stderr } = await benchfolio(['check'], { cwd: await folderOf({}) });
  assert.equal(code, 2);
  assert.match(stderr, /no bench\.toml in/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});
