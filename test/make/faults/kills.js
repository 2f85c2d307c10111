import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pids, readOrNull } from '../../../dist/base/process/processes.js';
import { spawnBenchfolio, startBenchfolio } from '../../support/cli.js';
import { assertNothingLeft, situations } from '../../support/situations.js';
import { sideBySide } from './side-by-side.js';

/** @import { Outcome, Random } from './run-faults.js' */

const short = ['box', '--env', 'good', '--scenario', 'short'];

/** What is killed, and how long it takes about. @type {{ name: string, args: (n: number) => string[], ms: number }[]} */
const commands = [
  { name: 'run', args: () => ['run', ...short, '--rounds', '2'], ms: 4000 },
  { name: 'duet', args: () => ['duet', 'HEAD', ...short, '--blocks', '3'], ms: 8000 },
  { name: 'find', args: () => ['find', ...short, '--probe', '1s', '--max', '100'], ms: 5000 },
  { name: 'keep', args: (n) => ['keep', `v${n}`], ms: 900 },
  { name: 'site', args: () => ['site'], ms: 1500 },
  { name: 'comment', args: () => ['comment', '--dry-run'], ms: 600 },
];

/**
 * Kills commands at random moments, in every third of those that measure the watchdog too, and looks at what the next
 * command finds.
 * @param {number} count
 * @param {Random} random
 * @returns {Promise<Outcome[]>}
 */
export async function killAtRandom(count, random) {
  const outcomes = commands.map(({ name }) => ({
    what: `kill -9 of ${name}`,
    tried: 0,
    failures: /** @type {string[]} */ ([]),
  }));
  const kills = Array.from({ length: count }, (_, n) => {
    const at = n % commands.length;
    const both = at < 3 && Math.floor(n / commands.length) % 3 === 1;
    return { at, both, after_ms: 50 + random(commands[at].ms) };
  });
  await sideBySide(kills, repository, async ({ at, both, after_ms }, folder, n) => {
    outcomes[at].tried += 1;
    const problem = await killOne(folder, commands[at].args(n), after_ms, both).catch((error) => String(error));
    if (problem) outcomes[at].failures.push(`after ${after_ms} ms${both ? ', and its watchdog' : ''}: ${problem}`);
  });
  return outcomes;
}

/** With a run that can be kept, and changes that are not committed: a duet checks HEAD out. */
async function repository() {
  const folder = await situations();
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), '.bench\npublic\nreports\n*.pid\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'x');
  writeFileSync(join(folder, 'changed'), '');
  const { code, stderr } = await spawnBenchfolio(['run', ...short], { cwd: folder, env: envIn(folder) });
  if (code === null || code > 3) throw new Error(`the first run ended with ${code}: ${stderr}`);
  return folder;
}

/** @param {string} folder */
const envIn = (folder) => ({ XDG_CACHE_HOME: join(folder, '.bench', 'cache'), BOX_TOKEN: 'a token' });

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {number} after_ms
 * @param {boolean} both its watchdog too
 * @returns {Promise<string | null>} what is wrong
 */
async function killOne(folder, args, after_ms, both) {
  const at = { cwd: folder, env: envIn(folder) };
  const { child, done } = startBenchfolio(args, at);
  await Promise.race([sleep(after_ms), done]);
  if (both) for (const pid of watchdogsIn(folder)) process.kill(pid, 'SIGKILL');
  child.kill('SIGKILL');
  await done;
  const next = await spawnBenchfolio(['check'], at);
  if (next.code !== 0) return `check ended with ${next.code}: ${next.stderr}`;
  await assertNothingLeft(folder);
  if (existsSync(join(folder, '.bench', 'lock'))) return 'the lock is left';
  const half = halfWritten(folder);
  if (half) return half;
  const report = await spawnBenchfolio(['report'], at);
  return report.code === null || report.code > 3 ? `report ended with ${report.code}: ${report.stderr}` : null;
}

/** @param {string} folder @returns {number[]} */
const watchdogsIn = (folder) =>
  pids().filter((pid) => {
    const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
    return words[1]?.endsWith('watchdog.js') && words[3]?.startsWith(folder);
  });

/** @param {string} folder @returns {string | null} a file that is not whole */
function halfWritten(folder) {
  if (existsSync(join(folder, 'public')) && !existsSync(join(folder, 'public', 'index.html')))
    return 'public/ is not whole';
  for (const place of ['.bench/runs', 'reports/versions']) {
    if (!existsSync(join(folder, place))) continue;
    for (const entry of readdirSync(join(folder, place), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!/^(record|run|round|case|comparison)\.json$/.test(entry.name) && place === '.bench/runs') continue;
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
      try {
        JSON.parse(readFileSync(file, 'utf8'));
      } catch (error) {
        return `${file}: ${error}`;
      }
    }
  }
  return null;
}
