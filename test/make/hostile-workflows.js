// Runs the workflows that init writes on a hostile pull request, on this machine, by nektos/act and without Docker:
//
//   node test/make/hostile-workflows.js
//
// The pull request brings a package of its own in .tools/, and its service writes wherever it may while it is measured: over our tools,
// into the repository's hooks and configuration, to the files of the runner, and to main. The first workflow measures it, the second posts
// the outcome; then it is merged, and the third keeps the history of main. Nothing of it may run outside of its own job, and nothing but
// the branch bench-data may change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageVersion, toolsDir } from '../../dist/base/tools/find-tool.js';
import { comparisonProblem } from '../../dist/records/records.js';
import { actIn, workflowRun } from '../support/act.js';
import { root } from '../support/cli.js';
import { gitServer } from '../support/git-server.js';
import { githubServer, heads } from '../support/github-server.js';
import { call, pack } from '../support/package.js';
import { registryWith } from '../support/registry.js';

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-hostile-'));
const repository = join(scratch, 'repository');
const loot = join(scratch, 'loot.json');
const forged = 'benchfolio-forged-by-the-pull-request';

/** @param {Record<string, string>} files */
function writeFiles(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
}

/** @param {string[]} args */
const git = (...args) => call(repository, 'git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args).trim();

const server = (/** @type {number} */ pause_ms) => `const http = require('node:http');
http.createServer((request, response) => setTimeout(() => response.end('ok'), ${pause_ms})).listen(process.env.PORT, '127.0.0.1');
`;

/** What the service does each time that it starts. It must not fail: then nothing would be measured. */
const spoils = `const { execSync } = require('node:child_process');
const { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const attempt = (what) => { try { return what(); } catch (error) { return String(error); } };
const { HOME, RUNNER_TEMP, GITHUB_WORKSPACE } = process.env;
const workspace = GITHUB_WORKSPACE ?? attempt(() => execSync('git rev-parse --show-toplevel').toString().trim());
const top = workspace.replace(/\\/\\.bench\\/.*|\\/\\.cache\\/.*/, '');
for (const tools of [join(HOME, '.cache/benchfolio/tools'), process.env.BENCHFOLIO_TOOLS, join(top, '.tools')]) {
  attempt(() => {
    for (const name of readdirSync(tools)) attempt(() => {
      copyFileSync(join(tools, name), join(tools, name + '.new'));
      appendFileSync(join(tools, name + '.new'), '${forged}');
      renameSync(join(tools, name + '.new'), join(tools, name)); // it runs on: what is behind an ELF file is not read
    });
    writeFileSync(join(tools, 'spoilt'), '${forged}');
  });
}
for (const name of ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'])
  attempt(() => appendFileSync(process.env[name], 'FORGED=${forged}\\n'));
attempt(() => writeFileSync(join(RUNNER_TEMP, 'benchfolio', 'comparison.json'), '{ "${forged}": true }'));
attempt(() => {
  mkdirSync(join(top, '.git/hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'pre-push']) writeFileSync(join(top, '.git/hooks', hook), '#!/bin/sh\\necho ${forged}\\n', { mode: 0o755 });
});
const pushes = ['main', 'pwned'].map((branch) => attempt(() => execSync('git -C "' + top + '" push --quiet --force origin HEAD:refs/heads/' + branch,
  { env: { ...process.env, GIT_TERMINAL_PROMPT: '0' }, stdio: 'pipe' }).toString()));
const config = attempt(() => readFileSync(join(top, '.git/config'), 'utf8'));
writeFileSync(${JSON.stringify(loot)}, JSON.stringify({ env: process.env, config, pushes, top }));
`;

const base = {
  '.gitignore': '.tools\n',
  'server.cjs': server(1),
};
const short = `[duet]
load = false
blocks = 3
warmup = "300ms"
duration = "900ms"
[compare]
gate = ["latency_ms_p50"]
`;
const version = packageVersion();
const ofForged = join('.tools', 'node_modules', 'benchfolio');
const head = {
  'server.cjs': spoils + server(30),
  [`${ofForged}/package.json`]: JSON.stringify({ name: 'benchfolio', version, bin: { benchfolio: 'dist/cli/bin.js' } }),
  [`${ofForged}/dist/cli/bin.js`]: `#!/usr/bin/env node\nconsole.log('${forged}');\n`,
  [`${ofForged}/action.yml`]: `name: x\nruns:\n  using: composite\n  steps:\n    - { shell: bash, run: echo ${forged} }\n`,
  // As npm leaves it: what is listed here is installed.
  '.tools/node_modules/.package-lock.json': JSON.stringify({
    name: '.tools',
    lockfileVersion: 3,
    requires: true,
    packages: { 'node_modules/benchfolio': { version, bin: { benchfolio: 'dist/cli/bin.js' } } },
  }),
  '.tools/.npmrc': 'registry=http://127.0.0.1:1/\n',
  '.npmrc': 'registry=http://127.0.0.1:1/\n',
};

/** The repository as init leaves it on main, and the pull request merged into it, as GitHub checks it out. */
function commits() {
  mkdirSync(repository);
  git('init', '--quiet', '--initial-branch=main');
  writeFiles(base);
  execFileSync(process.execPath, [join(root, 'dist/cli/bin.js'), 'init', 'shop', '--command', 'node server.cjs'], {
    cwd: repository,
  });
  writeFiles({ 'bench.toml': short });
  git('add', '--all');
  git('commit', '--quiet', '--message=base');
  git('switch', '--quiet', '--create', 'faster');
  writeFiles(head);
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message=head');
  git('switch', '--quiet', '--create', 'merged', 'main');
  git('merge', '--quiet', '--no-ff', '--message=merge', 'faster');
  call(scratch, 'git', 'clone', '--quiet', '--bare', repository, 'shop.git');
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git'); // its name, by which act knows it
  git('push', '--quiet', join(scratch, 'shop.git'), 'HEAD:refs/pull/7/merge');
}

/** Where a job begins: a home with our tools in it, as set-up leaves them, and nothing else. @param {string} name */
function freshHome(name) {
  const home = join(scratch, name);
  cpSync(toolsDir, join(home, '.cache/benchfolio/tools'), { recursive: true });
  return home;
}

/** @param {string} folder @returns {Record<string, string>} by name */
const hashesIn = (folder) =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** The branches at the origin. */
const refs = () =>
  Object.fromEntries(
    call(join(scratch, 'shop.git'), 'git', 'for-each-ref', '--format=%(refname) %(objectname)')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  );

/** What the measured code found: no token, and no way to push. */
function assertPoor() {
  const { env, config, pushes } = JSON.parse(readFileSync(loot, 'utf8'));
  const header = Buffer.from(`x-access-token:${token}`).toString('base64');
  const known = Object.entries(env).filter(([, value]) => value === token || value.includes(header));
  assert.deepEqual(known, []);
  assert.doesNotMatch(config, /AUTHORIZATION/i);
  for (const push of pushes) assert.match(push, /Authentication failed|could not read Username/);
  rmSync(loot);
}

const token = 'workflow';
const { file } = pack(scratch);
const registry = await registryWith(file);
const forge = await gitServer(scratch, token);
const github = await githubServer();
try {
  commits();
  const goes = (/** @type {string} */ name) => call(root, 'go', 'env', name).trim();
  writeFileSync(join(scratch, 'npmrc'), `registry=${registry.url}\nprefix=${scratch}\n`);
  const { act, store } = await actIn({
    scratch,
    repository,
    env: { GOCACHE: goes('GOCACHE'), GOMODCACHE: goes('GOMODCACHE'), GOFLAGS: '' },
    tools: false,
  });
  const job = (/** @type {string} */ home, /** @type {string} */ checkout) => [
    '--no-skip-checkout',
    ...['--env', `HOME=${home}`, '--env', `ORIGIN=${forge.url}/shop.git`, '--env', `CHECKOUT=${checkout}`],
    ...['--env', `GITHUB_SERVER_URL=${forge.url}`, '--env', `GITHUB_API_URL=${github.url}`],
    ...[
      '--env',
      `NPM_CONFIG_USERCONFIG=${join(scratch, 'npmrc')}`,
      '--env',
      `NPM_CONFIG_CACHE=${join(scratch, 'npm')}`,
    ],
    ...['--secret', `GITHUB_TOKEN=${token}`],
  ];
  const before = refs();

  const home = freshHome('home');
  const clean = hashesIn(join(home, '.cache/benchfolio/tools'));
  const measured = await act(
    'benchmark',
    'pull_request',
    { pull_request: { number: 7 } },
    job(home, 'refs/pull/7/merge'),
  );
  const comparison = JSON.parse(readFileSync(join(store, 'benchfolio', 'comparison.json'), 'utf8'));
  assert.equal(comparisonProblem(comparison), null);
  assert.notEqual(comparison.verdict, 'pass', measured.text); // of a head that is slower
  assert.ok(existsSync(join(home, '.cache/benchfolio/tools/spoilt')), 'the service did what it was written for');
  const [saved] = readdirSync(join(store, 'cache'));
  assert.deepEqual(hashesIn(join(store, 'cache', saved)), clean);
  assertPoor();
  assert.deepEqual(refs(), before);

  const posted = await act(
    'benchmark-report',
    'workflow_run',
    workflowRun('completed', heads.current),
    job(freshHome('home-2'), 'refs/heads/main'),
  );
  assert.equal(posted.code, 0);
  const [{ conclusion }] = github.checkRuns;
  assert.notEqual(conclusion, 'success');
  assert.doesNotMatch(JSON.stringify([github.comments, github.checkRuns]), new RegExp(forged));

  // Merged: the same code is main's.
  git('push', '--quiet', join(scratch, 'shop.git'), 'HEAD:refs/heads/main');
  const merged = refs();
  const kept = await act(
    'benchmark-history',
    'push',
    { ref: 'refs/heads/main' },
    job(freshHome('home-3'), 'refs/heads/main'),
  );
  assert.match(kept.text, /bench-data/);
  assertPoor();
  const { 'refs/heads/bench-data': data, ...others } = refs();
  assert.deepEqual(others, merged);
  const files = call(join(scratch, 'shop.git'), 'git', 'ls-tree', '-r', '--name-only', data).trim().split('\n');
  assert.deepEqual(
    files.filter((name) => !/\.json$/.test(name)),
    [],
  );
  assert.ok(files.length > 0);
  assert.doesNotMatch(measured.text + posted.text + kept.text, new RegExp(`^.*\\| ${forged}$`, 'm'));
  console.log('\nNothing of the pull request ran outside of its own job, and nothing but bench-data changed.');
} finally {
  registry.close();
  forge.close();
  await github.close();
  rmSync(scratch, { recursive: true, force: true });
}
