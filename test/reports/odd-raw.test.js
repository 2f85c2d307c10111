// Raw files of a bad day are reduced: what is not known is null, and no division by nothing ends a case.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { reduceCase } from '../../dist/records/reduce-case.js';
import { archivesOf } from '../support/archive.js';
import { full } from '../support/full.js';
import { makeOdd } from '../support/odd-raw.js';
import { copyOf } from '../support/raw.js';
import { numbers } from '../support/secrets.js';

const situations = archivesOf('raw');

test('odd raw files make records', async () => {
  const random = numbers(full ? 20261122 : 6);
  for (let i = 0; i < (full ? 200 : 20); i += 1) {
    const situation = situations[i % situations.length];
    const folder = copyOf(situation);
    const odd = makeOdd(folder, random);
    try {
      assert.ok(await reduceCase(folder), `${situation} has a record`);
    } catch (error) {
      assert.fail(`raw/${situation} with odd ${odd.join(', ')}: ${error}`);
    }
    rmSync(folder, { recursive: true });
  }
});
