// Why a record has its verdict is said by reports/lib/compare/reasons.jq and by src/records/reasons.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordReason } from '../../src/records/reasons.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

const file = join(root, 'test', 'fixtures', 'rules', 'reasons.json');

/** @type {{ what: string, record: any, reason: string | null }[]} */
const cases = JSON.parse(readFileSync(file, 'utf8'));

for (const { what, record, reason } of cases)
  test(`${what}: in Node.js`, () => assert.equal(recordReason(record), reason));

for (const engine of await engines())
  test(`all of them in ${engine.name}`, async () => {
    const program = 'import "lib/compare/reasons" as reasons; [input[] | .record | reasons::of_record]';
    assert.deepEqual(
      JSON.parse(await jqIn(engine, [program, file])),
      cases.map(({ reason }) => reason),
    );
  });
