import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../src/cli.js';
import { isColoured } from '../../src/color.js';
import { folderOf } from '../support/cli.js';

test('colours are for terminals that can, unless NO_COLOR is set and not empty', () => {
  const cases = /** @type {[boolean | undefined, NodeJS.ProcessEnv, boolean][]} */ ([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '0' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
    [undefined, { TERM: 'xterm' }, false],
  ]);
  for (const [isTTY, env, expected] of cases)
    assert.equal(isColoured({ isTTY }, env), expected, JSON.stringify([isTTY, env]));
});

test('what is wrong with a spec is shown in colour on a terminal, and nowhere else', async () => {
  const cwd = await folderOf({ 'bench.toml': 'defualt = "a"\n', 'specs/a/spec.toml': 'title = 1\n' });
  /** @param {boolean} isTTY @param {NodeJS.ProcessEnv} env */
  const shown = async (isTTY, env) => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    await main(['check'], { cwd, env, stdin: process.stdin, stdout, stderr: process.stderr });
    return String(stdout.read());
  };
  const [terminal, quiet, file] = [await shown(true, {}), await shown(true, { NO_COLOR: '1' }), await shown(false, {})];
  assert.notEqual(terminal, file);
  assert.equal(stripVTControlCharacters(terminal), file);
  assert.equal(stripVTControlCharacters(file), file);
  assert.equal(quiet, file);
});
