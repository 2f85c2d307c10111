// Simulations take minutes, so they are run where their sources changed, and how they ended is committed. This holds
// that nobody changes a source without it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/cli.js';
import { hashOf, limitsFile, readResults, resultsFile, simulations, sourcesOf } from '../support/simulations.js';

describe('simulations', () => {
  const results = readResults();

  for (const file of simulations)
    it(`were run with these sources: ${file}`, () => {
      assert.ok(results[file]?.passed.length > 0, `${resultsFile} has no result of ${file}: make simulate`);
      assert.equal(results[file].sources, hashOf(file), `${file} or what it judges has changed: make simulate`);
    });

  it('are those that are there', () => assert.deepEqual(Object.keys(results).sort(), simulations));

  it('have the judging programs, the looks, the numbers and the draws among their sources', () => {
    const lib = (/** @type {string[]} */ ...names) => names.map((name) => `reports/lib/${name}.jq`);
    const every = ['src/base/tools/gojq/go.mod', 'test/support/draws.js', ...lib('stats', 'tables/limits')];
    /** @type {Record<string, string[]>} */
    const more = {
      age: [...lib('compare/age', 'compare/intervals'), 'src/suite/cases/tables.ts'],
      duet: [...lib('calibrate/trials', 'compare/intervals', 'compare/verdicts'), 'src/records/interim-looks.ts'],
      guardrails: [
        ...lib('compare/comparison', 'compare/tail'),
        'src/suite/cases/quantiles.ts',
        'src/suite/cases/tables.ts',
      ],
      jq: lib('compare/comparison', 'compare/intervals', 'compare/verdicts', 'metrics', 'tables/metrics'),
    };
    for (const [name, files] of Object.entries(more)) {
      const sources = sourcesOf(`test/reports/${name}-simulation.test.js`);
      assert.deepEqual(
        [...every, ...files].filter((file) => !sources.includes(file)),
        [],
        name,
      );
    }
  });

  // So a limit that none of them names decides nothing.
  it('name the limits that they take, each by itself', () => {
    const all = new Set(simulations.flatMap(sourcesOf).filter((file) => file !== limitsFile && file.endsWith('.jq')));
    for (const file of all)
      for (const [use, after] of readFileSync(join(root, file), 'utf8').matchAll(/limits::limits(.{0,4})/g))
        assert.match(after, /^(\.[a-z_]| \| \{)/, `${file}: ${use}`);
  });
});
