import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnBenchfolio } from '../../support/cli.js';
import { scratchFolder } from '../../support/scratch.js';
import { sideBySide } from './side-by-side.js';

/** @import { Outcome, Random } from './run-faults.js' */

/** What means something to a shell, a URL, a glob, HTML, a module's address or a terminal. */
const pieces = [...'&=#?%+;:@!$~^*()[]{}<>|\\\'"`, \n\t.-_äß€😀', '%41', '$(x)', '..', '\u202e', '-rf', 'c++', ' & '];

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9"
[scenarios.s]
executor = "constant-vus"
duration = "1s"
smoke = false
gracefulStop = "0s"
requests = [{ get = "/", think = "100ms" }]
`;

/** Both are handed paths, and write to them. */
const players = [
  ['native', 'histograms.ndjson'],
  ['javascript', 'timeline.ndjson'],
];

/**
 * Runs, reports and builds pages in folders of odd names; nothing beside them may change.
 * @param {number} count
 * @param {Random} random
 * @returns {Promise<Outcome[]>}
 */
export async function runInOddPaths(count, random) {
  const names = Array.from({ length: count }, () => nameOf(random));
  /** @type {string[]} */
  const failures = [];
  await sideBySide(
    names,
    async () => null,
    async (name) => {
      const problem = await tryPath(name).catch((error) => String(error));
      if (problem) failures.push(`${JSON.stringify(name)}: ${problem}`);
    },
  );
  return [{ what: 'odd paths: run, report, site', tried: count, failures }];
}

/** @param {Random} random @returns {string} one that a file system takes */
function nameOf(random) {
  const name = Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)]).join('');
  return /^\.*$/.test(name) ? `${name}x` : name;
}

/** @param {string} name @returns {Promise<string | null>} what is wrong */
async function tryPath(name) {
  const outside = scratchFolder('odd');
  const cwd = join(outside, name, 'in');
  for (const [file, text] of Object.entries({ 'bench.toml': '', 'specs/shop/spec.toml': spec })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const beside = name.split(/[&?#;%+ ]/)[0]; // where a path would end that is cut
  const victim = beside && beside !== name && !/^\.*$/.test(beside) ? join(outside, beside) : null;
  if (victim && !existsSync(victim)) writeFileSync(victim, 'mine');
  const before = readdirSync(outside).sort().join('\0');
  // Nobody listens there, so that all requests fail: a threshold is missed.
  for (const [args, codes] of /** @type {[string[], number[]][]} */ ([
    ...players.map(([player]) => [['run', '--rounds', '1', '--player', player], [1]]),
    [['report'], [1]],
    [['site'], [0]],
  ])) {
    const { code, stdout, stderr } = await spawnBenchfolio(args, { cwd });
    if (!codes.includes(Number(code))) return `${args[0]} ended with ${code}: ${stdout}${stderr}`;
  }
  const runs = readdirSync(join(cwd, '.bench', 'runs')).sort();
  for (const [i, [player, file]] of players.entries()) {
    const round = join(cwd, '.bench', 'runs', runs[i], 'shop', 'local', 's', 'round-1');
    if (!existsSync(join(round, file))) return `the ${player} player left no ${file}`;
  }
  if (readdirSync(outside).sort().join('\0') !== before) return `beside it: ${readdirSync(outside)}`;
  return victim && readFileSync(victim, 'utf8') !== 'mine' ? `${victim} was changed` : null;
}
