import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../dist/cli/cli.js';
import { folderOf } from '../support/cli.js';
import { worldIn } from '../support/runs.js';

test('what is wrong with a spec is coloured on terminals that can, unless NO_COLOR is set', async () => {
  const cwd = await folderOf({ 'bench.toml': 'defualt = "a"\n', 'specs/a/spec.toml': 'title = 1\n' });
  /** @param {boolean} isTTY @param {NodeJS.ProcessEnv} env */
  const shown = async (isTTY, env) => {
    const world = worldIn(cwd, { isTTY, env });
    await main(['check'], world);
    return world.text();
  };
  const file = await shown(false, { TERM: 'xterm' });
  assert.equal(stripVTControlCharacters(file), file);
  const terminal = await shown(true, { TERM: 'xterm' });
  assert.notEqual(terminal, file);
  assert.equal(stripVTControlCharacters(terminal), file);
  for (const env of [{ TERM: 'dumb' }, { TERM: 'xterm', NO_COLOR: '1' }, { TERM: 'xterm', NO_COLOR: '0' }]) {
    assert.equal(await shown(true, env), file, JSON.stringify(env));
  }
});
