// How long `benchfolio check` takes on 100 specs: of the size of the README's, and copies of our longest. The whole
// command, and the part that is not starting Node.js.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../support/median.js';
import { size } from './short.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const specs = 100;

/**
 * A suite of as many systems as that.
 * @param {(folder: string) => void} fill
 * @returns {string}
 */
function suiteOf(fill) {
  const suite = mkdtempSync(join(tmpdir(), 'benchfolio-'));
  writeFileSync(join(suite, 'bench.toml'), '');
  for (let index = 0; index < specs; index += 1) {
    const folder = join(suite, 'specs', `system-${index}`);
    mkdirSync(folder, { recursive: true });
    fill(folder);
  }
  return suite;
}

const time = (/** @type {string[]} */ args, /** @type {string} */ cwd) => {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`check ended with ${status}: ${stderr}${stdout}`);
  return (performance.now() - started) / 1000;
};

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const short = /** @type {RegExpExecArray} */ (/```toml\n(#:schema[\s\S]*?)```/.exec(readme))[1];
const express = join(root, 'specs', 'express');
const suites = [
  ["of the README's size", suiteOf((folder) => writeFileSync(join(folder, 'spec.toml'), short))],
  [
    'copies of Express, our longest',
    suiteOf((folder) =>
      cpSync(express, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' }),
    ),
  ],
];
for (const [what, suite] of suites) {
  const [check, bare] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let repeat = 0; repeat < size(7, 1); repeat += 1) {
    check.push(time([join(root, 'dist', 'cli', 'bin.js'), 'check'], suite));
    bare.push(time(['-e', '0'], suite));
  }
  rmSync(suite, { recursive: true });
  console.log(
    `check, ${specs} specs ${what}: ${median(check).toFixed(2)} s in all, ${median(bare).toFixed(2)} s of it an empty Node.js process (aim: under 0.5 s)`,
  );
}
