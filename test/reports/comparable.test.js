// Which records are comparable is said by reports/lib/compare/comparable.jq and by site/assets/js/comparable.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { differencesOf } from '../../site/assets/js/comparable.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

const file = join(root, 'test', 'fixtures', 'rules', 'comparable.json');
const record = {
  definition: 'd',
  verdict: 'pass',
  fingerprint: { cpu_model: 'a', cores: 2, memory_bytes: 100e9, runner: 'local', k6: '2.2.0' },
};
/** @param {any} other what is another one */
const recordWith = (other) => ({ ...record, ...other, fingerprint: { ...record.fingerprint, ...other.fingerprint } });

/** @type {{ what: string, base: any, head: any, differences: string[] }[]} */
const cases = JSON.parse(readFileSync(file, 'utf8'));

for (const { what, base, head, differences } of cases)
  test(`${what}: in the browser`, () =>
    assert.deepEqual(differencesOf(recordWith(base), recordWith(head)), differences));

for (const engine of await engines())
  test(`all of them in ${engine.name}`, async () => {
    const program = `import "lib/compare/comparable" as comparable;
      ${JSON.stringify(record)} as $record
      | [input[] | { base: ($record * .base), head: ($record * .head) } | comparable::differences]`;
    assert.deepEqual(
      JSON.parse(await jqIn(engine, [program, file])),
      cases.map(({ differences }) => differences),
    );
  });
