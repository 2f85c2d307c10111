// node test/make/tests.js <options of node --test> <files>: runs tests. In CI a few files that failed are run once more, alone:
// a test that fails beside others on a busy machine and passes by itself does not hold up the work of all, and is named as
// what it is, flaky, to be fixed. More than a few are no accident.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const few = 3;
const given = process.argv.slice(2);
const options = given.filter((one) => one.startsWith('--'));
const files = given.filter((one) => !one.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'benchfolio-tests-'));

/** @param {readonly string[]} args of node --test @returns {{ code: number, failed: string[] }} */
function run(...args) {
  const list = join(folder, 'failed');
  const reporter = fileURLToPath(new URL('failed-files.js', import.meta.url));
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      ...['tap', reporter].map((name) => `--test-reporter=${name}`),
      ...['stdout', list].map((place) => `--test-reporter-destination=${place}`),
      ...args,
    ],
    { stdio: 'inherit' },
  );
  const failed = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  return { code: status ?? 1, failed: failed.map((file) => relative('.', file)) };
}

const first = run(...options, ...files);
let { code } = first;
if (code !== 0 && process.env.CI && first.failed.length > 0 && first.failed.length <= few) {
  console.log(`# once more, alone: ${first.failed.join(' ')}`);
  const alone = options.filter((one) => !one.startsWith('--test-concurrency'));
  ({ code } = run(...alone, '--test-concurrency=1', ...first.failed));
  if (code === 0) console.log(`# FLAKY, failed beside others and passed alone: ${first.failed.join(' ')}`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;
