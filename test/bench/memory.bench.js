// The memory that k6 takes: with what it may take set by bench.toml, at three times the load as at one.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { size } from './short.js';
import { trivialSuite } from './trivial-suite.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const allowed_mb = 250;

/**
 * The most that one k6 process of a run took.
 * @param {number} seconds of load
 * @returns {Promise<{ peak_mb: number, requests: number, processes: number }>}
 */
async function measure(seconds) {
  const suite = trivialSuite(
    `
[scenarios.closed]
executor = "constant-vus"
vus = 20
duration = "${seconds}s"`,
    `[run]\nmemory = "${allowed_mb}MB"\n`,
  );
  const command = [join(root, 'dist', 'cli', 'bin.js'), 'run', '--rounds', '1'];
  const run = spawn(process.execPath, command, { cwd: suite, stdio: 'ignore' });
  /** @type {Map<string, number>} */
  const peaks = new Map();
  const poll = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        if (!command.includes(suite) || !/k6\0run\0/.test(command)) continue;
        peaks.set(pid, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000);
      } catch {
        /* it has just ended */
      }
    }
  }, 100);
  await new Promise((resolve) => {
    run.once('exit', resolve);
  });
  clearInterval(poll);
  const rounds = readdirSync(join(suite, '.bench', 'runs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('round.json'))
    .map((file) => JSON.parse(readFileSync(join(suite, '.bench', 'runs', file), 'utf8')));
  rmSync(suite, { recursive: true });
  const requests = rounds.reduce((sum, { complete_iterations }) => sum + complete_iterations, 0);
  return { peak_mb: Math.max(...peaks.values()), requests, processes: peaks.size };
}

for (const seconds of size([15, 45], [1, 2])) {
  const { peak_mb, requests, processes } = await measure(seconds);
  console.log(
    `memory, ${requests.toLocaleString('en')} requests in ${seconds} s: ` +
      `${peak_mb.toFixed(0)} MB at the most in ${processes} k6 process${processes === 1 ? '' : 'es'}, where ${allowed_mb} MB are allowed`,
  );
}
