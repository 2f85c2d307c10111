// Whatever the schema allows is read: compared, printed, posted, shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { full } from '../support/full.js';
import { readGenerated } from '../support/generated-records.js';

test('generated records stop nothing', async () => {
  const records = full ? 1000 : 20;
  const { tried } = await readGenerated({ records, seed: 20261122 });
  assert.equal(tried, records);
});
