// Builds the image, and holds it to what site/content/docs/in-an-image.md says:
//
//   node test/make/image.js                   # builds it by `make image`
//   node test/make/image.js <image> <base>    # one that was built already, and of what
//
// Another user than the image's, a root that cannot be written, no rights: as Kubernetes may run it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { recordProblem } from '../../dist/records/schema.js';
import { root } from '../support/cli.js';
import { docker, noDocker } from '../support/containers.js';
import { cleanEnv } from '../support/package.js';
import { lastRun, readJson } from '../support/situations.js';
import { skip } from '../support/skip.js';
import { baseImage } from './image/base.js';

/** Bytes of what the image has above its base: the package with its tools is 143 MB, git 40 to 95. */
const most = 260e6;
const longest_ms = 120_000;

/** Whoever calls: files that are written belong to them. */
const uid = process.getuid?.() || 4321;
const [given, itsBase] = process.argv.slice(2);
const image = given ?? 'benchfolio-image-test';
const started = performance.now();
/** @param {string} text */
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

if (noDocker) skip(noDocker);
const name = `benchfolio-image-${process.pid}`;
const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-image-test-'));
const folder = join(scratch, 'shop');
/** Lies where a careless COPY would take it, and in the environment of the build. */
const secret = randomBytes(24).toString('hex');
const canary = join(root, '.bench', `canary-${secret.slice(0, 8)}`);

try {
  const base = itsBase ?? build();
  isSmall(base);
  holdsNothingElse(layersOf(base).length);
  makeShop();
  const doctor = run('doctor');
  for (const tool of ['k6', 'Hugo', 'jq']) assert.match(doctor, new RegExp(`^ok +${tool} .* at /usr/local/bin/`, 'm'));
  assert.doesNotMatch(doctor, /without the native player/);
  run('init');
  assert.match(run('check'), /1 case/);
  say('doctor, init and check');
  await measures();
  playsAsK6();
  await playsPart();
  await stops();
} finally {
  spawnSync('docker', ['rm', '--force', name]);
  if (!given) spawnSync('docker', ['rmi', image]);
  rmSync(canary, { force: true });
  rmSync(scratch, { recursive: true, force: true });
}

/** @returns {string} of what it was built */
function build() {
  const base = baseImage(say);
  if ('lack' in base) return skip(base.lack);
  mkdirSync(join(root, '.bench'), { recursive: true });
  writeFileSync(canary, secret);
  const args = ['--no-print-directory', 'image', `BASE=${base.image}`, `IMAGE=${image}`];
  const env = { ...cleanEnv, NPM_TOKEN: secret, GITHUB_TOKEN: secret };
  const made = spawnSync('make', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  assert.equal(made.status, 0, `${made.stdout}${made.stderr}`);
  say('built');
  return base.image;
}

/** @param {string} base */
function isSmall(base) {
  const size = (/** @type {string} */ of) => Number(docker('image', 'inspect', '--format', '{{.Size}}', of));
  const own = size(image) - size(base);
  const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  say(`${mb(size(image))}: ${mb(own)} above ${base}`);
  assert.ok(own < most, `${mb(own)} is more than ${mb(most)}`);
}

/** @param {string} of @returns {string[]} */
function layersOf(of) {
  return JSON.parse(docker('image', 'inspect', '--format', '{{json .RootFS.Layers}}', of));
}

/**
 * Layers keep what a later one deletes: each is looked at.
 * @param {number} layersOfBase
 */
function holdsNothingElse(layersOfBase) {
  const [{ Config }] = JSON.parse(docker('image', 'inspect', image));
  assert.match(Config.User, /^[1-9]\d*:[1-9]\d*$/, 'Kubernetes sees only of a number that it is not root');
  const saved = join(scratch, 'saved');
  mkdirSync(saved);
  execFileSync('sh', ['-c', 'docker save "$1" | tar -x -C "$2"', 'sh', image, saved]);
  const [{ Config: config, Layers: layers }] = JSON.parse(readFileSync(join(saved, 'manifest.json'), 'utf8'));
  assert.ok(!readFileSync(join(saved, config), 'utf8').includes(secret), 'the history has a secret of the build');
  for (const layer of layers.slice(layersOfBase)) {
    const file = join(saved, layer);
    const tar = (/** @type {string[]} */ ...args) =>
      execFileSync('tar', [...args, '-f', file], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal(spawnSync('sh', ['-c', 'tar -xOf "$1" | grep -qF "$2"', 'sh', file, secret]).status, 1, layer);
    const paths = tar('-t').split('\n');
    const other = /(^|\/)(\.git|\.npm|_cacache|\.npmrc|\.env|\.bench|\.cache)(\/|$)|^var\/lib\/apt\/lists\/|\.deb$/;
    // A dependency's files are as npm has them for everybody: one comes with a .env.
    const known = /\/(\.wh\.[^/]*)?$|\/node_modules\/benchfolio\/node_modules\//;
    assert.deepEqual(
      paths.filter((path) => other.test(path) && !known.test(path)),
      [],
    );
    const lines = tar('-t', '-v', '--numeric-owner').split('\n');
    // What is the package's nobody else may change: drwxr-xr-x 0/0
    const ours = lines.filter((line) => / usr\/local\/.|etc\/gitconfig/.test(line));
    assert.deepEqual(
      ours.filter((line) => !/^(l|.{5}-..-.) *\S* +0\/0 /.test(line)),
      [],
    );
  }
  rmSync(saved, { recursive: true });
  say(`no secret, history or cache in ${layers.length - layersOfBase} layers; nothing that a user could change`);
}

/** A service that the image can run itself, in a repository that is somebody else's. */
function makeShop() {
  mkdirSync(folder);
  const server = `require('node:http')
  .createServer((request, response) => response.end(request.url === '/health' ? 'ok' : 'Hello'))
  .listen(process.env.PORT);
`;
  writeFileSync(join(folder, 'server.js'), server);
  writeFileSync(join(folder, 'package.json'), '{ "name": "hello", "scripts": { "start": "node server.js" } }');
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=base');
  if (process.getuid?.() === 0) chownSync(folder, uid, uid); // .git stays root's
}

/** @param {string[]} more of docker's @param {string[]} args @returns {string[]} */
function commandOf(more, args) {
  const taken = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const where = ['--user', `${uid}:${uid}`, '--volume', `${folder}:/work`, '--name', name];
  return ['run', ...taken, ...where, ...more, image, ...args];
}

/** @param {string[]} args @returns {{ code: number | null, stdout: string, stderr: string }} */
function start(...args) {
  const { status, stdout, stderr } = spawnSync('docker', commandOf(['--rm'], args), {
    encoding: 'utf8',
    timeout: longest_ms,
  });
  return { code: status, stdout, stderr };
}

/** @param {string[]} args @returns {string} what it prints */
function run(...args) {
  const { code, stdout, stderr } = start(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** A service inside is measured, with its CPU time and memory, and what is written is the caller's. */
async function measures() {
  const { code, stdout, stderr } = start('run', '--quick', '--rounds', '1');
  assert.ok(code === 0 || code === 3, `${stdout}${stderr}`); // 3: the machine was busy
  assert.match(stderr, /the native player sends the requests/);
  const record = await readJson(join(await lastRun(folder), 'hello', 'local', 'steady', 'record.json'));
  assert.equal(recordProblem(record), null);
  const { cpu_ms_per_request, memory_bytes_max } = record.services.app.metrics;
  assert.ok(cpu_ms_per_request.value > 0 && memory_bytes_max.value > 0);
  assert.match(record.commit, /^[0-9a-f]{40}$/, 'git read a repository of another user');
  run('site');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.git/'));
  const others = paths.filter((path) => lstatSync(join(folder, path)).uid !== uid);
  const before = process.getuid?.() === 0 ? ['.git', 'package.json', 'server.js'] : [];
  assert.deepEqual(others.sort(), before);
  say(`run and site: ${stdout.split('\n')[0]} ${paths.length} files of user ${uid}`);
}

/** k6 on its PATH is k6, until somebody asks for results. */
function playsAsK6() {
  const k6 = (/** @type {string[]} */ env, /** @type {string[]} */ ...args) =>
    spawnSync('docker', commandOf(['--rm', '--entrypoint', 'k6', ...env], args), {
      encoding: 'utf8',
      timeout: longest_ms,
    });
  assert.match(k6([], 'version').stdout, /k6\/x\/benchfolio/);
  const asked = ['--env', 'BENCHFOLIO_RESULTS=/tmp/results'];
  assert.match(k6(asked, 'version').stdout, /k6\/x\/benchfolio/);
  for (const [args, reason] of /** @type {[string[], RegExp][]} */ ([
    [['--vus', '4', 'case.tar'], /^k6 run --vus: /],
    [['--execution-segment=1/3:2/3', 'case.tar'], /^segment 1\/3:2\/3 is not part of 0,1$/],
    [['--quiet', '--address=0.0.0.0:6565'], /^k6 run lacks its archive$/],
    [['case.tar', '-e'], /^k6 run -e lacks its value$/],
    [['case.tar', '-e', 'A"$(id)=1'], /no name of a variable$/],
  ])) {
    const refused = k6(asked, 'run', ...args);
    assert.equal(refused.status, 2, `${args}: ${refused.stderr}`);
    const [, json] = /^benchfolio-failed (.*)\n$/.exec(refused.stdout) ?? [];
    assert.match(JSON.parse(json).reason, reason);
  }
  say('k6 is k6, and with BENCHFOLIO_RESULTS refuses another load than the archive says');
}

/** The second of two parts, called as k6-operator calls it: results in the folder, and in what is printed. */
async function playsPart() {
  const url = 'http://127.0.0.1:8099';
  const args = '--quiet --execution-segment=1/2:1 --execution-segment-sequence=0,1/2,1';
  const more = '--address=0.0.0.0:6565 --tag instance_id=2 --tag testrun_name=hello';
  const script = `set -e
benchfolio archive hello --quick --output /tmp/case.tar >&2
PORT=8099 node server.js &
sleep 1
BENCHFOLIO_RESULTS="$PWD/results" k6 run ${args} -e BASE_URL=${url} /tmp/case.tar ${more}`;
  const generated = spawnSync('docker', commandOf(['--rm', '--entrypoint', 'sh'], ['-c', script]), {
    encoding: 'utf8',
    timeout: longest_ms,
  });
  assert.equal(generated.status, 0, `${generated.stdout.slice(0, 2000)}${generated.stderr}`);
  assert.match(generated.stdout, /^benchfolio-results 2 \d+ [0-9a-f]{64}$/m);
  assert.match(generated.stdout, /^benchfolio-results-end$/m);
  const { part, complete_iterations, problems } = await readJson(join(folder, 'results', 'generator.json'));
  assert.deepEqual([part, problems], [{ index: 2, of: 2 }, []]);
  assert.ok(complete_iterations > 0);
  say(`k6 as k6-operator calls it: ${complete_iterations} iterations of part 2 of 2`);
}

/** `docker stop` is an end like Ctrl-C: it waits for nothing, and the lock is given back. */
async function stops() {
  const id = randomUUID();
  docker(...commandOf(['--detach', '--label', `test=${id}`], ['run', '--rounds', '3']));
  const isMeasuring = () => readdirSync(join(folder, '.bench')).includes('lock');
  for (let tries = 0; tries < 100 && !isMeasuring(); tries += 1) await wait(100);
  assert.ok(isMeasuring(), 'it did not begin to measure');
  await wait(1500); // until its service runs
  const before = performance.now();
  docker('stop', '--time', '30', name);
  const took = (performance.now() - before) / 1000;
  const code = docker('inspect', '--format', '{{.State.ExitCode}}', name);
  docker('rm', name);
  assert.equal(code, '130');
  assert.ok(!isMeasuring(), 'the lock was left');
  say(`docker stop ended a run in ${took.toFixed(1)} s`);
}
