// What a duet says of fourteen kinds of changes, each to a service with a pool of connections:
//
//   node test/make/kinds.js                # all of them: make kinds, half an hour
//   node test/make/kinds.js tail errors    # those with this in their name
//
// Nothing is set: gate, tolerance and blocks are ours. TIMES=5 tries each five times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';

/** Kinds, and the exit codes that are right: three or four percent more CPU time are worse, but not for certain. */
const kinds = /** @type {[string, number[]][]} */ ([
  ['none', [0]],
  ['file read', [1]],
  ['pool of 1', [1]],
  ['pool of 3', [1]],
  ['tail', [1]],
  ['errors', [1]],
  ['leak', [1]],
  ['slow leak', [1]],
  ['slower after 10 s', [1]],
  ['allocations', [1, 3]],
  ['longer reply', [1, 3]],
  ['missing field', [3]],
  ['wait of 1 ms', [0]],
  ['the same files', [0]],
]);

const read = (/** @type {string} */ name) => readFileSync(join(root, 'test', 'fixtures', 'kinds', name), 'utf8');

/**
 * @param {string} kind
 * @returns {Promise<{ code: number, said: string, seconds: number }>}
 */
async function tried(kind) {
  const folder = await repositoryOf(
    { 'bench.toml': '', 'specs/kinds/spec.toml': read('spec.toml'), 'specs/kinds/server.cjs': read('server.cjs') },
    { 'specs/kinds/kind.json': '{ "kind": "none" }' },
    kind === 'the same files' ? {} : { 'specs/kinds/kind.json': JSON.stringify({ kind, commit: 1 }) },
  );
  const started = performance.now();
  const { code, stdout } = await duet(folder, 'HEAD~1', 'HEAD');
  const said = stdout.split('\n\n')[0].replaceAll(/\s+/g, ' ');
  return { code: Number(code), said, seconds: (performance.now() - started) / 1000 };
}

const asked = process.argv.slice(2);
const times = Number(process.env.TIMES ?? 1);
let wrong = 0;
console.log('change             exit  right  seconds  what it says');
for (const [kind, right] of kinds.filter(([name]) => asked.length === 0 || asked.some((part) => name.includes(part)))) {
  for (let time = 0; time < times; time += 1) {
    const { code, said, seconds } = await tried(kind);
    const isRight = right.includes(code);
    if (!isRight) wrong += 1;
    const cells = [kind.padEnd(17), String(code).padStart(5), (isRight ? 'yes' : 'NO').padStart(6)];
    console.log(`${cells.join(' ')} ${seconds.toFixed(0).padStart(8)}  ${said}`);
  }
}
console.log(wrong === 0 ? '\nEach is right.' : `\n${wrong} wrong.`);
process.exitCode = wrong === 0 ? 0 : 1;
