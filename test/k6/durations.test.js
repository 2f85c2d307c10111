// Durations are read by whoever reads a spec as by k6, whose own reader k6/native/durations_test.go holds to the same table: only a
// number without a unit is refused here (milliseconds to k6, which is never meant).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDuration } from '../../dist/suite/cases/durations.js';
import { root } from '../support/cli.js';

/** seconds: absent where it is no duration. @type {{ text: string, seconds?: number }[]} */
const durations = JSON.parse(readFileSync(join(root, 'k6', 'native', 'vectors', 'durations.json'), 'utf8'));

for (const { text, seconds } of durations) {
  test(JSON.stringify(text), () => {
    if (seconds === undefined) assert.throws(() => parseDuration(text), RangeError);
    else assert.equal(parseDuration(text), seconds);
  });
}
