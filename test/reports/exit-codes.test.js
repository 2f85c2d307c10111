// What a process ends with is said by reports/lib/compare/verdicts.jq, for a comparison, and by src/errors.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodes } from '../../src/errors.js';
import { engines, jqIn } from '../support/engines.js';

test('a verdict has the same exit code in jq and in Node.js', async () => {
  const program =
    'import "lib/compare/verdicts" as verdicts; ["pass", "fail", "inconclusive", "error"] | map({ (.): verdicts::exit_code }) | add';
  const [engine] = await engines();
  const { usage, ...ofVerdicts } = exitCodes;
  assert.deepEqual(JSON.parse(await jqIn(engine, [program])), ofVerdicts);
});
