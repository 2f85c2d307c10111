// What Benchfolio survives:
//
//   node test/make/faults/run-faults.js           # make faults: 1,000 records, 200 tokens, 100 paths, 200 kills
//   node test/make/faults/run-faults.js --short   # make faults SHORT=1: a part of each, in two minutes
//
// Each situation counts as survived when nothing is left, nothing is half written, nothing leaks, and the next command
// works. SEED repeats one.
import { performance } from 'node:perf_hooks';
import { numbers } from '../../support/secrets.js';
import { killAtRandom } from './kills.js';
import { runInOddPaths } from './paths.js';
import { readRecords } from './records.js';
import { sendTokens } from './tokens.js';

/**
 * The outcome of one kind of situation. failures: a text for each situation that did harm.
 * @typedef {{ what: string, tried: number, failures: string[] }} Outcome
 * @typedef {(below: number) => number} Random
 */

const short = process.argv.includes('--short');
const seed = Number(process.env.SEED ?? (short ? 20261122 : (Date.now() % 1e6) + 1));
const parts = /** @type {const} */ ([
  [readRecords, 1000, 60],
  [sendTokens, 200, 40],
  [runInOddPaths, 100, 6],
  [killAtRandom, 200, 12],
]);

console.log(`seed ${seed}\n\n${'situations'.padEnd(34)} tried  survived  seconds`);
let failed = 0;
for (const [part, all, some] of parts) {
  const started = performance.now();
  const outcomes = await part(short ? some : all, numbers(seed));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  for (const [i, { what, tried, failures }] of outcomes.entries()) {
    const row = [what.padEnd(34), String(tried).padStart(5), String(tried - failures.length).padStart(9)];
    console.log(`${row.join(' ')} ${(i === 0 ? seconds : '').padStart(8)}`);
    for (const failure of failures) console.log(`  ${failure.slice(0, 1000).replaceAll('\n', '\n  ')}`);
    failed += failures.length;
  }
}
console.log(failed === 0 ? '\nAll survived.' : `\n${failed} did harm. To repeat: SEED=${seed}`);
process.exitCode = failed === 0 ? 0 : 1;
