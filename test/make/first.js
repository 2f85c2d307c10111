// The first minutes of somebody who has Node.js and git, an empty home and empty caches, and times each of them:
//
//   node test/make/first.js            # tools from npm: the release, packed here and served as the registry would
//   node test/make/first.js --source   # tools built from source with Go: minutes
//   node test/make/first.js --limits   # in the time that we promise on two cores, or it fails
//
// From `npm install` to a verdict and a page.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bytesIn } from '../../dist/base/io/folder-size.js';
import { findProgram, platformPackage } from '../../dist/base/tools/find-tool.js';
import { cleanEnv } from '../support/package.js';
import { registryWith } from '../support/registry.js';
import { packRelease } from './release/release.js';

/** Seconds from the first command to a verdict and a page. */
const limits_s = { npm: 90, source: 300 };

const from = process.argv.includes('--source') ? 'source' : 'npm';
const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-first-'));
const tools = platformPackage(process);

const server = `require('node:http')
  .createServer((request, response) => response.end(request.url === '/health' ? 'ok' : 'Hello'))
  .listen(process.env.PORT);
`;

/** Programs on PATH, and none of ours: no k6, jq or Hugo, and Go only to build them. @returns {string} a folder */
function path() {
  const folder = join(scratch, 'bin');
  mkdirSync(folder);
  const needed = ['node', 'npm', 'npx', 'git', 'sh', 'env', 'taskset', ...(from === 'source' ? ['go'] : [])];
  for (const name of needed) {
    const program = findProgram(name, process.env);
    if (program !== null) symlinkSync(program, join(folder, name));
  }
  return folder;
}

const packed = packRelease(join(scratch, 'release'), [`${process.platform}-${process.arch}`]);
const registry = await registryWith(packed.main, ...(from === 'npm' ? packed.tools : []));
const env = {
  ...Object.fromEntries(Object.entries(cleanEnv).filter(([name]) => !/^(GO|XDG_|BENCHFOLIO_)/.test(name))),
  PATH: path(),
  HOME: join(scratch, 'home'),
  npm_config_registry: registry.url,
  npm_config_cache: join(scratch, 'npm'),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  // A build fetches from where this machine does.
  ...(process.env.GOPROXY && { GOPROXY: process.env.GOPROXY }),
};
mkdirSync(env.HOME);

/** @param {string} name @returns {string} */
function repository(name) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'server.js'), server);
  writeFileSync(join(folder, 'package.json'), '{ "name": "hello", "scripts": { "start": "node server.js" } }');
  spawnSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

/**
 * Not spawnSync: this process serves the registry.
 * @param {string} folder
 * @param {string} line
 */
async function step(folder, line) {
  const started = performance.now();
  const [program, ...args] = line.split(' ');
  const { stdout, stderr, code } = await promisify(execFile)(program, args, {
    cwd: folder,
    env,
    maxBuffer: 2 ** 26,
  }).then(
    (printed) => ({ ...printed, code: 0 }),
    (error) => error,
  );
  const seconds = (performance.now() - started) / 1000;
  return { line, stdout: String(stdout), stderr: String(stderr), code, seconds };
}

try {
  const folder = repository('shop');
  const place = join(folder, 'node_modules', 'benchfolio', 'node_modules', tools);
  const taken = [];
  // A busy machine makes numbers invalid, by design: what is timed is the way there.
  for (const [line, codes] of /** @type {[string, number[]][]} */ ([
    ['npm install --save-dev benchfolio', [0]],
    ...(from === 'source' ? [['npx benchfolio tools', [0]]] : []),
    ['npx benchfolio init', [0]],
    ['npx benchfolio run --quick --rounds 1', [0, 3]],
    ['npx benchfolio site', [0]],
  ])) {
    const done = await step(folder, line);
    assert.ok(codes.includes(done.code), `${line} ended with ${done.code}\n${done.stdout}${done.stderr}`);
    console.log(`${done.seconds.toFixed(1).padStart(6)} s  ${line}`);
    taken.push(done.seconds);
  }
  assert.ok(existsSync(join(folder, 'public', 'index.html')));
  const sum = taken.reduce((all, one) => all + one, 0);
  const limit = limits_s[from];
  console.log(
    `${sum.toFixed(1).padStart(6)} s  in all, tools from ${from} (at most ${limit} s, ${availableParallelism()} cores)`,
  );
  const found = await step(folder, 'npx benchfolio tools');
  const lines = found.stdout.trim().split('\n');
  assert.equal(lines.length, 3, found.stdout);
  const expected = from === 'npm' ? join(place, 'bin') : join(folder, '.tools');
  for (const line of lines) assert.equal(dirname(line.split(/\s+/).at(-1) ?? ''), expected, line);
  if (from === 'npm') await fallsThrough(folder, place);
  console.log(`figure: ${sum.toFixed(0)} s from npm install to a page, tools from ${from} (at most ${limit})`);
  if (process.argv.includes('--limits')) assert.ok(sum <= limit, `${sum.toFixed(1)} s is more than ${limit}`);
} finally {
  registry.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Tools of another version, and none, are as if they were never asked for. @param {string} folder @param {string} place */
async function fallsThrough(folder, place) {
  const installed = await bytesIn(join(folder, 'node_modules'));
  const downloaded = await bytesIn(env.npm_config_cache);
  assert.equal((await step(folder, 'npx benchfolio doctor')).code, 0);
  const manifest = createRequire(import.meta.url)(join(place, 'package.json'));
  writeFileSync(join(place, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.1' }));
  const missing = /^MISSING {2}k6 +k6 is needed and is not on PATH\n +-> install Go, then: npx benchfolio tools$/m;
  const other = await step(folder, 'npx benchfolio doctor');
  assert.match(other.stdout, missing);
  assert.equal(other.code, 4);
  const without = repository('without');
  const omitted = await step(without, 'npm install --save-dev --omit=optional benchfolio');
  assert.equal(omitted.code, 0, omitted.stderr);
  const none = await step(without, 'npx benchfolio doctor');
  assert.match(none.stdout, missing);
  assert.equal(none.stderr, '');
  const least = await bytesIn(join(without, 'node_modules'));
  const [got, all, less] = [downloaded, installed, least].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`);
  console.log(`Downloaded: ${got}; installed: ${all}, without optional packages ${less}.`);
}
