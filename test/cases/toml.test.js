import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseToml, TomlError } from '../../dist/suite/cases/toml.js';
import { loadSuite, openSpec, readSpec } from '../../dist/suite/suite.js';
import { benchfolio, folderOf } from '../support/cli.js';

const broken = 'title = "Shop"\nprofiles.quick.duration = 30s\n';

describe('a TOML text', () => {
  it('becomes ordinary objects, whose dates are texts', () => {
    assert.deepEqual(parseToml('a = { day = 2026-11-22 }\n[[b]]\nc = 1\n'), {
      a: { day: '2026-11-22' },
      b: [{ c: 1 }],
    });
  });
  it('that is not TOML is an error with its place and what to do', () => {
    assert.throws(() => parseToml(broken), {
      name: 'TomlError',
      line: 2,
      message: /^line 2, column \d+: not valid TOML: /,
      hint: 'Texts and durations have quotes: "30s".',
    });
    assert.throws(() => parseToml('a = "b\n'), { hint: 'Is a closing quote missing?' });
  });
});

describe('a spec that is not TOML', () => {
  const suite = folderOf({ 'bench.toml': '', 'specs/shop/spec.toml': broken });
  it('stops those who need its values, with its place', async () => {
    const root = await suite;
    const path = join(root, 'specs', 'shop', 'spec.toml');
    assert.throws(() => readSpec({ root }, 'shop'), {
      name: 'UserError',
      message: new RegExp(`^${path}, line 2, column \\d+: not valid TOML: `),
      hint: /quotes/,
    });
  });
  it('is empty for those who go on without', async () => {
    const { file, text, spec, error } = openSpec({ root: await suite }, 'shop');
    assert.deepEqual({ file, text, spec }, { file: 'specs/shop/spec.toml', text: broken, spec: {} });
    assert.ok(error instanceof TomlError);
  });
  it('is no bug of ours for calibrate', async () => {
    const { code, stderr } = await benchfolio(['calibrate', 'shop'], { cwd: await suite });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /spec\.toml, line 2, column \d+: not valid TOML/);
    assert.doesNotMatch(stderr, /\n\s+at |bug/);
  });
});

describe('a bench.toml that is not TOML', () => {
  it('is refused with its place', async () => {
    const root = await folderOf({ 'bench.toml': 'default = "shop' });
    assert.throws(() => loadSuite(root), {
      name: 'UserError',
      message: /bench\.toml, line 1, column \d+: not valid TOML/,
    });
  });
});
