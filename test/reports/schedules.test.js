// What k6's options ask for (src/suite/cases/executors.ts), and how many iterations are due: for the load that a spec declares
// (src/suite/cases/load.ts), for a window when it is reduced
// (reports/lib/reduce/load.jq), and by the native player (k6/native/player/schedule_test.go): all are held to one table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadOf } from '../../dist/suite/cases/executors.js';
import { iterationsOf } from '../../dist/suite/cases/load.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

const file = join(root, 'k6', 'native', 'vectors', 'schedules.json');

/** load: what those options ask for. @type {{ k6: any, load: any, windows: { from_s: number, to_s: number, iterations: number }[] }[]} */
const schedules = JSON.parse(readFileSync(file, 'utf8'));
const expected = schedules.map(({ windows }) => windows.map(({ iterations }) => iterations));

/** @param {number[][]} counted */
const near = (counted) => counted.map((windows) => windows.map((count) => Math.round(count * 1e9) / 1e9));

test("what k6's options ask for", () => {
  for (const { k6, load } of schedules) assert.deepEqual(loadOf(k6), load, JSON.stringify(k6));
});

test('in Node.js', () => {
  assert.deepEqual(
    near(schedules.map(({ load, windows }) => windows.map((window) => iterationsOf(load, window) ?? 0))),
    expected,
  );
});

for (const engine of await engines())
  test(`in ${engine.name}`, async () => {
    const program = `import "lib/reduce/load" as load;
      [input[] | .load as $load | [.windows[] | . as $window | $load | load::due($window.from_s; $window.to_s)]]`;
    assert.deepEqual(near(JSON.parse(await jqIn(engine, [program, file]))), expected);
  });
