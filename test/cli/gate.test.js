// What the gate runs depends on no machine's speed: a test of a duration, and an end that may be this or that, are live.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';

const forbidden = /** @type {[RegExp, string][]} */ ([
  [/performance\.now\(|Date\.now\(\) -|process\.hrtime/, 'a clock'],
  [/\bawait (sleep|pause|wait)\(/, 'a sleep: wait for what must have happened (until.js)'],
  [/node:timers\/promises/, 'a sleep: wait for what must have happened (until.js)'],
  [/code === \d \|\||code < \d|code !== null && code/, 'an exit code that may be this or that'],
  [/whatever the machine|a busy machine/i, 'a tolerance for a busy machine'],
]);

/** Sleeps that nothing depends on, each with why. @type {Record<string, string>} */
const allowed = {
  'test/cli/gate.test.js': 'it names them',
  'test/init/init.test.js': 'it kills at several moments, and what is left must be whole at each',
  'test/records/data-branch.test.js': 'it kills at several moments, and what is left must be whole at each',
};

test('tests of the gate have no clocks, sleeps or tolerances', () => {
  const files = execFileSync('git', ['ls-files', 'test/**/*.test.js'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !file.endsWith('.live.test.js') && !(file in allowed));
  assert.ok(files.length > 100);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const why = forbidden.find(([pattern]) => pattern.test(line))?.[1];
        return why ? [`${file}:${index + 1}: ${why}: ${line.trim()}`] : [];
      }),
  );
  assert.deepEqual(found, [], 'make these exact, or move them to a file *.live.test.js');
});
