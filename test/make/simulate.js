// Runs each simulation in full whose sources changed since it was run, and writes down how it ended:
//
//   node test/make/simulate.js
//   FORCE=1 node test/make/simulate.js     all of them, whatever changed
//
// Draws have a seed, so the same sources have the same outcome. test/reports/simulated.test.js holds that what is
// committed is of the present sources.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { root } from '../support/cli.js';
import { hashOf, readResults, resultsFile, simulations } from '../support/simulations.js';

const longest_ms = 3_600_000; // alone it takes six minutes, beside other programs far more
/** Each is one process of an interpreter at a time. */
const atOnce = 2;

const kept = readResults();
const hashes = new Map(simulations.map((file) => [file, hashOf(file)]));
const changed = simulations.filter((file) => process.env.FORCE === '1' || kept[file]?.sources !== hashes.get(file));
for (const file of simulations.filter((one) => !changed.includes(one)))
  console.log(`${file}: its sources are those with which ${kept[file].passed.length} tests passed (FORCE=1 runs it)`);

/** @type {Map<string, string[]>} the tests of each that passed */
const passed = new Map(changed.map((file) => [file, []]));
/** @type {Set<string>} */
const failed = new Set();
if (changed.length > 0) {
  const files = changed.map((file) => join(root, file));
  for await (const { type, data } of run({ files, concurrency: atOnce, timeout: longest_ms })) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = relative(root, data.file ?? data.name);
    const { type: kind, duration_ms, error } = /** @type {any} */ (data.details);
    if (type === 'test:fail') {
      failed.add(file);
      console.error(`${file}: ${data.name}\n${error?.cause?.stack ?? error}`);
    } else if (kind !== 'suite' && passed.has(file)) {
      passed.get(file)?.push(data.name);
      console.log(`${file}: ${data.name} (${(duration_ms / 1000).toFixed(0)} s)`);
    }
  }
}
for (const [file, tests] of passed) if (tests.length === 0) failed.add(file);

const results = Object.fromEntries(
  simulations
    .filter((file) => !failed.has(file))
    .map((file) => [file, passed.has(file) ? { sources: hashes.get(file), passed: passed.get(file) } : kept[file]]),
);
if (changed.length > 0) writeFileSync(join(root, resultsFile), `${JSON.stringify(results, null, 2)}\n`);
if (failed.size > 0) {
  console.error(`\nThese do not hold: ${[...failed].join(', ')}`);
  process.exitCode = 1;
}
