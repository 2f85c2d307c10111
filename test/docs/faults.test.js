// The table of faults that were found names what holds each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';

const rows = readFileSync(join(root, 'test', 'make', 'faults', 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [FG]\d/.test(line))
  .map((line) => line.split(' | '));

test('each fault that was found has a test, which is there', () => {
  const ids = new Set(rows.flatMap(([first]) => /F(\d+)/.exec(first)?.[1] ?? []).map(Number));
  assert.deepEqual(
    [...ids],
    Array.from({ length: 26 }, (_, i) => i + 1),
  );
  for (const [what, , , held] of rows) {
    const tests = [...held.matchAll(/`([^`]+\.test(?:\.js)?)`: ((?:(?!; `| \|$).)+)/g)];
    assert.notEqual(tests.length, 0, what);
    for (const [, file, name] of tests)
      assert.ok(readFileSync(join(root, file), 'utf8').includes(name), `${what}: no "${name}" in ${file}`);
  }
});
