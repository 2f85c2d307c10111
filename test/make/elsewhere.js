// The package in somebody else's repository:
//
//   node test/make/elsewhere.js
//
// It is packed as npm gets it, installed in repositories of several kinds, and does there what init prints as the next
// steps, until something is measured; the way from there to a comment and pages is the tutorial's, which docs/run.js goes.
// Whether that works is asked, not how fast anything is.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toolsDir } from '../../dist/base/tools/find-tool.js';
import { root } from '../support/cli.js';
import { call, cleanEnv, npmInstall, pack } from '../support/package.js';
import { registryWith } from '../support/registry.js';

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-elsewhere-'));
/** The tools that are built here, for all; checked-out commits of these repositories only. */
const env = { ...cleanEnv, BENCHFOLIO_TOOLS: toolsDir, XDG_CACHE_HOME: join(scratch, 'cache') };

const server = `import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 8080);

createServer((request, response) => {
  let sum = 0;
  for (let i = 0; i < 1000; i += 1) sum += Math.sqrt(i);
  response.end(\`Hello: \${sum}\`);
}).listen(port);
`;

/**
 * @param {string} name
 * @param {Record<string, string>} files
 * @returns {string} a repository with these files
 */
function repository(name, files) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  call(folder, 'git', 'init', '--quiet', '--initial-branch=main');
  return folder;
}

/**
 * @param {string} folder
 * @param {string} line a command as init prints it
 * @param {{ codes?: number[] }} [expected]
 * @returns {string} what it prints
 */
function step(folder, line, { codes = [0] } = {}) {
  console.log(`${folder.slice(scratch.length + 1)}$ ${line}`);
  const [program, ...args] = line.split(' ');
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  assert.ok(codes.includes(status ?? -1), `it ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Numbers are refused while other programs keep the machine busy, by design: then again. @param {string} folder @param {string} line */
function measured(folder, line) {
  for (let tries = 1; ; tries += 1) {
    const stdout = step(folder, line, { codes: tries < 3 ? [0, 3] : [0] });
    if (/^Pass/.test(stdout)) return stdout;
  }
}

const theirs = {
  'without package.json': { '.gitignore': '.tools\n', 'server.mjs': server },
  'with workspaces': {
    '.gitignore': 'node_modules\n',
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
    'packages/api/package.json': '{ "name": "@acme/api", "type": "module", "scripts": { "start": "node server.js" } }',
    'packages/api/server.js': server,
  },
  'with .github and specs': {
    '.gitignore': 'node_modules',
    'package.json': '{ "type": "module", "main": "server.js" }',
    'server.js': server,
    '.github/workflows/benchmark.yml': 'name: Benchmark\non: push\n',
    'specs/cart.spec.js': '// a test\n',
    'public/logo.svg': '<svg/>',
  },
  'with pnpm': {
    '.gitignore': 'node_modules\n',
    'package.json': '{ "type": "module", "scripts": { "start": "node server.js" } }',
    'pnpm-lock.yaml': '',
    'server.js': server,
  },
};

/** In an empty repository, with the TOML parser where k6 looks for it. @param {string} file */
function installed(file) {
  const folder = repository('empty', {});
  call(folder, 'npm', ...npmInstall, '--no-save', file);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(step(folder, 'npx benchfolio --version').trim(), version);
  assert.match(step(folder, 'npx benchfolio --help'), /^ {2}init /m);
  assert.match(
    step(folder, 'npx benchfolio init shop --dry-run'),
    /^#:schema node_modules\/benchfolio\/specs\/bench\.schema\.json$|specs\/shop\/spec\.toml would be written/m,
  );
  assert.ok(existsSync(join(folder, 'node_modules/benchfolio/node_modules/smol-toml/dist/index.js')));
  assert.deepEqual(readdirSync(folder).sort(), ['.git', 'node_modules']);
}

/** From a registry, on this Node.js alone: what is installed is what was tested. @param {string} file */
async function asPublished(file) {
  const folder = repository('published', { 'package.json': '{}' });
  const registry = await registryWith(file);
  try {
    const from = ['--registry', registry.url, '--cache', join(scratch, 'npm-cache')];
    // not call(): the registry is served by this process
    await promisify(execFile)('npm', ['install', ...from, '--engine-strict', '--ignore-scripts', 'benchfolio'], {
      cwd: folder,
      env: cleanEnv,
    });
  } finally {
    registry.close();
  }
  const place = join(folder, 'node_modules', 'benchfolio');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  for (const [path, { version, dev }] of Object.entries(lock)) {
    if (path === '' || dev) continue;
    const found = JSON.parse(readFileSync(join(place, path, 'package.json'), 'utf8')).version;
    assert.equal(found, version, path);
  }
  step(folder, 'npx benchfolio init shop --dry-run');
}

/** Whoever only measures can do without Vega, and gets an error that says so when it is needed. @param {string} file */
function withoutVega(file) {
  const folder = repository('without Vega', { 'bench.toml': '' });
  call(folder, 'npm', ...npmInstall, '--no-save', '--omit=optional', file);
  assert.ok(!existsSync(join(folder, 'node_modules', 'vega')));
  step(folder, 'npx benchfolio tools');
  const { status, stderr } = spawnSync('npx', ['benchfolio', 'site'], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(status, 4);
  assert.match(stderr, /charts need vega, vega-interpreter, vega-lite.*\nInstall .*: npm install --include=optional/);
}

/** benchmark.yml takes the action from here: it calls the program by a link, with the packages beside it. @param {string} folder */
function asTheAction(folder) {
  const place = join(folder, '.tools', 'node_modules', 'benchfolio');
  assert.ok(existsSync(join(place, 'action.yml')));
  symlinkSync(join(place, 'dist', 'cli', 'bin.js'), join(scratch, 'benchfolio'));
  step(folder, `${join(scratch, 'benchfolio')} --version`);
}

/** @param {string} file @param {keyof typeof theirs} kind @param {string} [pnpm] */
function fromNothingToARun(file, kind, pnpm = '') {
  const before = theirs[kind];
  const folder = repository(kind.replaceAll(' ', '-'), before);
  const bin = kind === 'without package.json' ? '.tools/node_modules/.bin/benchfolio' : 'npx benchfolio';
  if (kind === 'without package.json') call(folder, 'npm', ...npmInstall, '--prefix', '.tools', '--no-save', file);
  else if (kind === 'with pnpm') call(folder, pnpm, 'add', '--save-dev', '--prefer-offline', file);
  else
    call(
      folder,
      'npm',
      ...npmInstall,
      '--save-dev',
      ...(kind === 'with workspaces' ? ['--workspace', 'packages/api'] : []),
      file,
    );
  if (kind === 'without package.json') asTheAction(folder);
  step(folder, `${bin} init shop`);
  step(folder, `${bin} check`);
  measured(folder, `${bin} run shop --quick --rounds 1`);
  for (const [path, text] of Object.entries(before).filter(
    ([path]) => !/package\.json$|\.gitignore$|\.yaml$/.test(path),
  )) {
    assert.equal(readFileSync(join(folder, path), 'utf8'), text, path);
  }
  assert.equal(existsSync(join(folder, '.github/workflows/benchmark-report.yml')), kind !== 'with .github and specs');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
}

const started = performance.now();
try {
  const { file } = pack(scratch);
  installed(file);
  await asPublished(file);
  withoutVega(file);
  call(scratch, 'npm', ...npmInstall, '--prefix', join(scratch, 'pnpm'), '--no-save', 'pnpm@12.21.0');
  for (const kind of /** @type {(keyof typeof theirs)[]} */ (Object.keys(theirs))) {
    fromNothingToARun(file, kind, join(scratch, 'pnpm', 'node_modules', '.bin', 'pnpm'));
  }
  console.log(`\nAll of it works elsewhere (${((performance.now() - started) / 1000).toFixed(0)} s).`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
