// What the schemas allow is read by every program that takes comparisons, chains, records or trials: no error of jq reaches a user.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { exec } from '../../dist/base/tools/exec.js';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { comparisonProblem, recordProblem, trialProblem } from '../../dist/records/schema.js';
import { recordMetrics } from '../../dist/suite/cases/record-metrics.js';
import { arbitraryOf, readSchema } from '../support/arbitrary.js';
import { root } from '../support/cli.js';
import { full } from '../support/full.js';
import { scratchFolder } from '../support/scratch.js';

const reports = join(root, 'reports');
// The gate tries the same each time: what fails there is a change of the code.
const [runs, batch] = full ? [10_000, 100] : [60, 60];
const folder = scratchFolder('programs');

/** @param {string} file @param {(value: any) => string | null} problem */
const allowed = (file, problem) =>
  arbitraryOf(readSchema(file), { keys: recordMetrics }).filter((value) => problem(value) === null);

// That a time is one is looked at beside the schema.
const comparison = allowed('comparison.schema.json', comparisonProblem).map((value) => ({
  ...value,
  time: '2026-01-01T00:00:00Z',
}));
const record = allowed('record.schema.json', recordProblem);
const recordSchema = readSchema('record.schema.json');
/** A whole record takes 50 ms to make. @param {string} name */
const partOfRecord = (name) => arbitraryOf(/** @type {any} */ (recordSchema.properties)[name], { root: recordSchema });
const lineNumber = fc.record(
  {
    metric: fc.option(arbitraryOf({ $ref: '#/definitions/metric' }, { root: recordSchema })),
    time: partOfRecord('time'),
    compare: partOfRecord('compare'),
    speed: partOfRecord('speed'),
    imported: partOfRecord('imported'),
  },
  { requiredKeys: ['metric', 'time', 'compare'] },
);
const context = fc.record({
  title: fc.option(fc.string()),
  head: fc.option(fc.stringMatching(/^[0-9a-f]{40}$/)),
  site: fc.option(fc.webUrl()),
  artifact: fc.option(fc.webUrl()),
  machine: fc.option(partOfRecord('fingerprint')),
  marker: fc.constant('<!-- benchfolio -->'),
  before: fc.constant([]),
});
/** Of one case, each trial once, with as many blocks on both sides: the rest is looked at where trials are read. */
const trials = fc.array(allowed('trial.schema.json', trialProblem), { minLength: 1, maxLength: 4 }).map((all) =>
  all.map((trial, i) => ({
    ...trial,
    id: `20260101T00000${i % 2}Z-1-${i}`,
    time: `2026-01-01T00:00:0${i}Z`,
    ...(trial.base && trial.head && { head: { ...trial.head, rounds: trial.base.rounds } }),
  })),
);

/**
 * What each program reads: the values of one of its runs. readers: programs that read what it prints
 * @type {Record<string, { inputs: fc.Arbitrary<any[]>, args?: object, readers?: string[] }>}
 */
const programs = {
  'comparisons.json.jq': { inputs: comparison.map((one) => [{ plans: [], records: {}, comparisons: [one] }]) },
  'chains.json.jq': {
    inputs: fc.array(fc.array(comparison, { minLength: 1, maxLength: 3 })).map((chains) => [chains]),
  },
  'report.txt.jq': {
    inputs: fc.tuple(comparison, fc.array(record, { maxLength: 2 })).map(([one, records]) => [one, ...records]),
    args: { width: 80, terminal: true },
  },
  'report.md.jq': { inputs: fc.tuple(comparison) },
  'comment.md.jq': { inputs: fc.tuple(comparison, context) },
  'junit.xml.jq': { inputs: fc.tuple(comparison) },
  'contradiction.json.jq': { inputs: fc.tuple(comparison) },
  'line-changes.json.jq': {
    inputs: fc.record({ base: lineNumber, head: lineNumber }).map((pair) => [{ suite: null, pairs: [pair] }]),
  },
  'calibration.json.jq': {
    inputs: trials,
    args: { rule: { interim_looks: [{ blocks: 2, alpha_spent: 1 }] }, left_out: 0 },
    readers: ['calibration.txt.jq', 'calibration.md.jq'],
  },
};

/**
 * A program that runs another one over each of `$batch`, and prints what comes out and what goes wrong: a process for each
 * would take hours.
 * @param {string} name
 */
function batched(name) {
  const text = readFileSync(join(reports, name), 'utf8');
  const imports = text.match(/^import .*$/gm) ?? [];
  const rest = text.replace(/^import .*$/gm, '');
  return `${imports.join('\n')}
def _run: . as $values | def input: $values[0]; def inputs: ${/\binput\b/.test(rest) ? '$values[1:][]' : '$values[]'};
${rest};
$batch[0] | to_entries[] | .key as $at | try (.value | { printed: [_run] }) catch { $at, wrong: (tostring | .[:300]) }`;
}

/**
 * @param {string} name of a program
 * @param {readonly any[][]} batch the values of each of its runs
 * @param {object} [args]
 * @returns {Promise<any[][]>} what each run prints
 */
async function printedBy(name, batch, args = {}) {
  const { path } = await findTool('jq');
  const file = join(folder, `${name}.batch.json`);
  writeFileSync(file, JSON.stringify(batch));
  const given = Object.entries(args).flatMap(([key, value]) => ['--argjson', key, JSON.stringify(value)]);
  const flags = ['-n', '-c', '-L', reports, ...given, '--slurpfile', 'batch', file];
  const lines = String(await exec(path, [...flags, batched(name)]))
    .trimEnd()
    .split('\n');
  const runs = lines.map((line) => JSON.parse(line));
  const failed = runs.find(({ wrong }) => wrong !== undefined);
  if (failed) assert.fail(`${name}: ${failed.wrong}\nby ${JSON.stringify(batch[failed.at]).slice(0, 20_000)}`);
  assert.equal(runs.length, batch.length);
  return runs.map(({ printed }) => printed);
}

for (const [name, { inputs, args, readers = [] }] of Object.entries(programs)) {
  test([name, ...readers, 'read what the schemas allow'].join(' '), async () => {
    for (let tried = 0; tried < runs; tried += batch) {
      const printed = await printedBy(name, fc.sample(inputs, { numRuns: batch, ...(!full && { seed: 73 }) }), args);
      for (const reader of readers) await printedBy(reader, printed);
    }
  });
}
