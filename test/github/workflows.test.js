import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../support/cli.js';
import { sourceOf } from '../support/source-of.js';

const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => join(folder, name));
const files = [...workflows, join(root, 'action.yml')].map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** @param {string} text @param {RegExp} pattern with the flag g */
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, part]) => part);

test('actionlint has nothing to say of the workflows', async () => {
  const run = promisify(execFile)('go', [
    '-C',
    join(root, 'test', 'tools', 'actionlint'),
    'tool',
    'actionlint',
    ...workflows,
  ]);
  await run.catch(({ stdout, stderr }) => assert.fail(`${stdout}${stderr}`));
});

test('every action of others is pinned by its commit, and says which version that is; one version of each', () => {
  const pins = files.flatMap(({ text }) => all(text, /^\s*(?:- )?uses: (.*)$/gm)).filter((name) => name !== './');
  assert.ok(pins.length > 10);
  for (const pin of pins) assert.match(pin, /^actions\/[a-z-]+(\/[a-z]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const names = new Set(pins.map((pin) => pin.split('@')[0]));
  assert.equal(new Set(pins).size, names.size);
});

test('the programs that they start are there', () => {
  const named = files.flatMap(({ file, text }) =>
    all(text, /(?:node |GITHUB_ACTION_PATH\/)([\w/.-]+\.js)/g).map((program) => ({ file, program })),
  );
  assert.ok(named.some(({ file }) => file.endsWith('action.yml')));
  assert.deepEqual(
    named.filter(({ program }) => !existsSync(join(root, sourceOf(program)))),
    [],
  );
});

test('no right is given but to a job, and none to one that runs the code of a pull request', () => {
  for (const { file, text } of files.filter(({ file }) => workflows.includes(file))) {
    assert.match(text, /^permissions: \{\}$/m, file);
    const jobs = text
      .split(/^jobs:$/m)[1]
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1);
    for (const job of jobs) {
      assert.match(job, /^ {4}permissions:\n {6}/m, `${file}: ${job.split('\n')[0]}`);
      assert.match(job, /^ {4}timeout-minutes: \d+$/m, `${file}: ${job.split('\n')[0]}`);
      if (!job.includes('GITHUB_TOKEN') && !job.includes('--push'))
        assert.doesNotMatch(job, /(contents|pull-requests|checks|statuses|issues|packages): write/, file);
    }
    assert.match(text, /^concurrency:\n {2}group: /m, file);
    if (/^on: .*\bpull_request\b|^ {2}pull_request:/m.test(text))
      assert.doesNotMatch(text, /: write\b|secrets\./, file);
    if (/^ {2}workflow_run:$/m.test(text)) assert.doesNotMatch(text, /\bref:|head_sha|refs\/pull/, file); // it takes the default branch's code
    assert.doesNotMatch(text, /pull_request_target/, file);
  }
});

test('nothing from outside stands in a command: it comes by the environment', () => {
  for (const { file, text } of files) {
    const commands = [
      ...all(text, /^\s*(?:- )?run: ([^|\n].*)$/gm),
      ...[...text.matchAll(/^( *)(?:- )?run: \|\n((?:\1 {2}.*\n|\n)+)/gm)].map(([, , block]) => block),
    ];
    assert.equal(commands.length, all(text, /^\s*(?:- )?(run): ./gm).length, `${file}: all commands are seen`);
    for (const command of commands) assert.doesNotMatch(command, /\$\{\{/, file);
  }
});

test('what the action takes and gives is documented', () => {
  const { text } = files[files.length - 1];
  for (const part of ['inputs', 'outputs']) {
    const entries = text
      .split(new RegExp(`^${part}:$`, 'm'))[1]
      .split(/^(?=\S)/m)[0]
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1);
    assert.ok(entries.length > 3);
    for (const entry of entries) assert.match(entry, /^ {4}description: /m);
  }
});

test('a token is given to the steps that use it, and what is installed runs no scripts', () => {
  const templates = join(root, 'src', 'init', 'template', 'workflows');
  const written = readdirSync(templates).map((name) => readFileSync(join(templates, name), 'utf8'));
  const texts = [...files.map(({ text }) => text), ...written];
  let installs = 0;
  for (const text of texts) {
    assert.doesNotMatch(text, /^ {0,6}(GITHUB_TOKEN|GH_TOKEN):/m, 'not of a workflow or a job');
    for (const line of all(text, /^.*\b(npm (?:ci|install)\b.*)$/gm)) {
      assert.match(line, /--ignore-scripts/, line);
      installs += 1;
    }
  }
  assert.ok(installs >= 5, `${installs}`);
});

const template = (/** @type {string} */ name) =>
  readFileSync(join(root, 'src', 'init', 'template', 'workflows', `${name}.yml`), 'utf8');

test('what a pull request brings in .tools is removed before it is used', () => {
  for (const name of ['benchmark', 'benchmark-history']) {
    const text = template(name);
    const installs = all(text, /run: (.*npm install --prefix \.tools.*)$/gm);
    assert.ok(installs.length > 0);
    for (const command of installs) assert.match(command, /^rm -rf \.tools && npm install/);
    const [before] = text.split('@runtimes@');
    assert.match(
      before,
      /uses: \.\/\.tools\/node_modules\/benchfolio/,
      `${name}: set up before what the service needs`,
    );
  }
});

test('the cache of tools is saved before anything is measured', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  assert.doesNotMatch(text, /uses: actions\/cache@/, 'it saves at the end of the job');
  assert.ok(text.indexOf('actions/cache/save@') < text.indexOf('benchfolio duet "$'));
});

test('what measures may not write', () => {
  const job = (/** @type {string} */ text, /** @type {string} */ name) =>
    text.split(/^ {2}(?=[a-z-]+:$)/m).find((part) => part.startsWith(`${name}:`)) ?? '';
  for (const name of ['benchmark', 'benchmark-history']) {
    const measuring = job(template(name), 'duet');
    assert.match(measuring, /benchfolio/);
    assert.doesNotMatch(measuring, /: write/, name);
    assert.match(measuring, /persist-credentials: false/, name);
  }
  const keeping = job(template('benchmark-history'), 'keep');
  assert.match(keeping, /contents: write/);
  assert.doesNotMatch(keeping, /duet kept|@runtimes@/);
});

test('a check ends whatever happens, and is reported in a merge queue', () => {
  for (const text of [template('benchmark-report'), readFileSync(join(folder, 'benchmark-report.yml'), 'utf8')]) {
    const [, post] = text.split('- name: Post the outcome');
    assert.match(post, /^\s*if: \$\{\{ !cancelled\(\) && github\.event\.action == 'completed' \}\}/);
    assert.match(text, /"merge_group"/);
  }
  for (const text of [template('benchmark'), readFileSync(join(folder, 'benchmark.yml'), 'utf8')]) {
    assert.match(text, /^on: \[pull_request, merge_group\]$/m);
    assert.match(text, /base: \$\{\{ github\.event\.merge_group\.base_sha \|\| 'HEAD\^1' \}\}/);
  }
});
