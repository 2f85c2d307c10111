import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';
import { full } from '../support/full.js';
import { evaluate, runTests, triplesOf } from '../support/jq-tests.js';

const reports = join(root, 'reports');
const lib = join(reports, 'lib');
const files = ['lib', 'import'].flatMap((folder) =>
  readdirSync(join(reports, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
);
const all = await engines();

test('there is a jq to test with', () => assert.notEqual(all.length, 0));

for (const engine of all) {
  for (const file of files.filter((name) => name.endsWith('.test'))) {
    test(`${file} in ${engine.name}`, async () => {
      const triples = triplesOf(join(reports, file));
      assert.notEqual(triples.length, 0);
      const printed = await evaluate(engine, triples);
      triples.forEach(({ line, program, outputs }, i) => {
        assert.deepEqual(printed[i], outputs, `${file}:${line}: ${program}`);
      });
      // jq 1.6 compiles each of them anew: `make simulate` has the time.
      if (engine.runsTests && (full || !engine.slow)) assert.equal(await runTests(engine, join(reports, file)), '');
    });
  }

  test(`every module imports what it uses, in ${engine.name}`, async () => {
    const modules = files.filter((name) => name.endsWith('.jq') && !name.endsWith('.json.jq'));
    // A module sees what itself imports, not what is imported beside it: one program finds what is missing in any of them (in
    // gojq; jq 1.6 looks at syntax alone).
    const imports = modules.map((name, i) => `import "${name.slice(0, -'.jq'.length)}" as m${i};`);
    assert.equal(await jqIn(engine, [`${imports.join(' ')} 1`]), '1\n');
  });
}

test('a wrong expectation fails, in either way to run it', async () => {
  const [triple] = triplesOf(join(lib, 'numbers.test'));
  for (const engine of all) assert.notDeepEqual((await evaluate(engine, [triple]))[0], [[1]]);
});
