// node test/make/tests.js <options of node --test> <files>: runs tests. Where PASSED_TESTS names a file, what passed is written
// down there and not run again: a stage of .ci/run that failed runs once more, alone, and only what had not passed.
//
// The files of a folder whose tests are many and small share a process: to start one for each takes longer than they do.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const sharing = ['cases', 'cluster', 'init', 'process', 'session'];

const given = process.argv.slice(2);
const list = process.env.PASSED_TESTS ?? '';
const passed = list !== '' && existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
const files = given.filter((arg) => !arg.startsWith('--') && !passed.includes(arg));
const options = given.filter((arg) => arg.startsWith('--'));
if (files.length === 0) {
  console.log(`# nothing to run: ${passed.length > 0 ? 'all have passed' : 'no file is named'}`);
  process.exit(passed.length > 0 ? 0 : 2);
}

const folder = mkdtempSync(join(tmpdir(), 'benchfolio-tests-'));
const failedList = join(folder, 'failed');
/** @type {Map<string, string[]>} the test files of each file that runs: itself, or those that share its process */
const members = new Map();
for (const file of files.map((each) => resolve(each))) {
  const name = basename(dirname(file));
  const runs = sharing.includes(name) && !file.endsWith('.live.test.js') ? join(folder, `${name}.mjs`) : file;
  members.set(runs, [...(members.get(runs) ?? []), file]);
}
for (const [path, all] of members)
  if (!all.includes(path)) writeFileSync(path, all.map((file) => `import '${pathToFileURL(file)}';\n`).join(''));
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    ...['tap', fileURLToPath(new URL('failed-files.js', import.meta.url))].map((name) => `--test-reporter=${name}`),
    ...['stdout', failedList].map((path) => `--test-reporter-destination=${path}`),
    ...options,
    ...members.keys(),
  ],
  // A test may start a runner of its own, which is not a stage.
  { stdio: 'inherit', env: { ...process.env, PASSED_TESTS: undefined } },
);
const failed = existsSync(failedList)
  ? readFileSync(failedList, 'utf8').split('\n').filter(Boolean)
  : [...members.keys()];
rmSync(folder, { recursive: true, force: true });
if (list !== '' && (status === 0 || (status !== null && failed.length > 0))) {
  const absolute = failed.flatMap((file) => members.get(file) ?? file);
  for (const file of files.filter((one) => !absolute.includes(resolve(one)))) appendFileSync(list, `${file}\n`);
}
process.exitCode = status ?? 1;
