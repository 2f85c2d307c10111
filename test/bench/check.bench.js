// How long `benchfolio check` takes on 100 specs: the whole command, and the part that is not starting Node.js.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const suite = mkdtempSync(join(tmpdir(), 'benchfolio-'));
writeFileSync(join(suite, 'bench.toml'), '');
for (let index = 0; index < 100; index += 1) {
  const folder = join(suite, 'specs', `system-${index}`);
  mkdirSync(join(folder, 'app'), { recursive: true }); // where its service is started
  cpSync(join(root, 'specs', 'express', 'spec.toml'), join(folder, 'spec.toml'));
}

const time = (/** @type {string[]} */ args) => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: suite, encoding: 'utf8' });
  if (status !== 0) throw new Error(`check ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
};
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const check = [];
const bare = [];
for (let repeat = 0; repeat < 7; repeat += 1) {
  check.push(time([join(root, 'src', 'bin.js'), 'check']));
  bare.push(time(['-e', '0']));
}
rmSync(suite, { recursive: true });
const [all, node] = [median(check), median(bare)];
console.log(`check, 100 copies of the Express spec: ${all.toFixed(2)} s in all, ${node.toFixed(2)} s of it an empty Node.js process (aim: under 0.5 s)`);
