// What a process ends with stands in reports/lib/tables/verdicts.jq, for a comparison, and by name in src/base/errors.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodes } from '../../dist/base/errors.js';
import { verdicts } from '../../dist/suite/cases/verdicts.js';

test('a verdict has the same exit code in jq and in Node.js', () => {
  const { usage, ...ofVerdicts } = exitCodes;
  const { invalid, ...named } = verdicts.exit_codes;
  assert.deepEqual(named, ofVerdicts);
  assert.equal(invalid, exitCodes.inconclusive);
  assert.ok(usage > 0);
});
