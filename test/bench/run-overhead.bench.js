// What `benchfolio run` takes beside the time inside k6, a case: everything from reading the spec to the printed
// outcome, the services' own start left out.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { size } from './short.js';
import { trivialSuite } from './trivial-suite.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const rounds = size(3, 1);
const suite = trivialSuite(`
[scenarios.light]
executor = "constant-arrival-rate"
rate = "\${rate}"
duration = "2s"
preAllocatedVUs = 20
sweep = { rate = [100, 110, 120, 130] }`);

const started = performance.now();
const command = [join(root, 'dist', 'cli', 'bin.js'), 'run', '--rounds', String(rounds)];
const { status, stderr } = spawnSync(process.execPath, command, { cwd: suite, encoding: 'utf8' });
const wall_s = (performance.now() - started) / 1000;
const runs = join(suite, '.bench', 'runs');
const files = readdirSync(runs, { recursive: true, encoding: 'utf8' }).map((file) => join(runs, file));
const sumOf = (/** @type {string} */ name, /** @type {(data: any) => number} */ seconds) =>
  files
    .filter((file) => file.endsWith(name))
    .reduce((sum, file) => sum + seconds(JSON.parse(readFileSync(file, 'utf8'))), 0);
const cases = files.filter((file) => file.endsWith('case.json')).length;
const complete = files.filter((file) => file.endsWith('round.json') && !file.includes('disturbed-')).length;
if (complete !== 4 * rounds) throw new Error(`the run ended with ${status}: ${stderr}`);
const k6_s = sumOf('round.json', ({ started: from, ended }) => (ended - from) / 1000);
const start_s = sumOf('app.log', ({ start_ms }) => start_ms / 1000);

const each_s = (wall_s - k6_s - start_s) / cases;
console.log(
  [
    `run, ${cases} cases of ${rounds} rounds: ${wall_s.toFixed(1)} s in all`,
    `${k6_s.toFixed(1)} s of it in k6 (ratio ${(wall_s / k6_s).toFixed(2)})`,
    `${start_s.toFixed(1)} s in the service's start`,
    `${each_s.toFixed(2)} s more a case (aim: at most 2 s)`,
  ].join(', '),
);
