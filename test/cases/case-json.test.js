// A resolved case is handed on as JSON: to k6, in whichever language what reads it there is written, and to the reduction.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  expandCases,
  inParts,
  loadCase,
  parseToml,
  saturationCase,
  soloCase,
  underLoad,
} from '../../dist/suite/cases/cases.js';
import { caseProblem } from '../support/case-schema.js';
import { root } from '../support/cli.js';

const fixtures = ['every-key', 'raw-suite', 'pool', 'run-situations'].map((name) => `test/fixtures/${name}/specs`);
const specs = ['specs', ...fixtures]
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'spec.toml')))
  .filter(existsSync);

/** @param {string} file */
function casesIn(file) {
  const spec = parseToml(readFileSync(file, 'utf8'));
  const profiles = [null, ...Object.keys(spec.profiles ?? {})];
  const all = profiles.flatMap((profile) => expandCases({ spec, system: basename(dirname(file)), profile }));
  return all.filter(({ status }) => status === null); // others are not measured
}

describe('a case', () => {
  for (const file of specs) {
    it(`of ${file.slice(root.length + 1)} is what its JSON says, and what the schema does`, () => {
      const cases = casesIn(file);
      assert.ok(cases.length > 0);
      for (const benchCase of cases) {
        assert.deepEqual(JSON.parse(JSON.stringify(benchCase)), benchCase);
        assert.equal(caseProblem(benchCase), null, benchCase.name);
      }
    });
  }

  it('is one also as a duet, a search and a cut round measure it', () => {
    const [benchCase] = casesIn(join(root, 'specs', 'express', 'spec.toml'));
    const variants = [
      soloCase(benchCase, { warmup_s: 1, seconds: 4 }),
      loadCase(benchCase, { warmup_s: 1, seconds: 2 }),
      saturationCase(benchCase, { users: 30, warmup_s: 1, seconds: 1 }),
      underLoad(benchCase, { load: 28.34, seconds: 5 }),
      inParts(benchCase, 3),
    ];
    for (const variant of variants) {
      assert.deepEqual(JSON.parse(JSON.stringify(variant)), variant);
      assert.equal(caseProblem(variant), null);
    }
  });
});
