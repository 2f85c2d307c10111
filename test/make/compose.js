// A service in Python with PostgreSQL, both in containers by a compose file, from `init` to the verdict on two branches:
//
//   node test/make/compose.js
//
// Its image is made of Debian's packages (debootstrap, as root), once: no registry is asked.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, spawnBenchfolio } from '../support/cli.js';
import { docker, left, noCompose } from '../support/containers.js';
import { lastRun, readJson } from '../support/situations.js';
import { skip } from '../support/skip.js';

const base = 'benchfolio-debian'; // what the Dockerfiles of the fixture begin with
const packages = ['postgresql', 'python3-fastapi', 'python3-psycopg2', 'python3-uvicorn'];

if (noCompose) skip(noCompose);

/** Containers with our name, labelled or not. */
const byName = () => docker('ps', '--all', '--quiet', '--filter', 'name=benchfolio-');
const before = byName();

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-compose-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const started = performance.now();
/** @param {string} text */
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

if (spawnSync('docker', ['image', 'inspect', base]).status !== 0) {
  const tree = join(scratch, 'debian');
  execFileSync('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', tree], { stdio: 'ignore' });
  const tar = spawnSync('sh', ['-c', 'tar -C "$1" -c . | docker import - "$2"', 'sh', tree, base]);
  assert.equal(tar.status, 0, String(tar.stderr));
  rmSync(tree, { recursive: true });
  say(`an image of Debian with ${packages.join(', ')}`);
}

const folder = join(scratch, 'shop');
cpSync(join(root, 'test', 'fixtures', 'compose-shop'), folder, { recursive: true });
/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder, stdio: 'pipe' });
/** @param {string[]} args */
const benchfolio = (...args) => spawnBenchfolio(args, { cwd: folder });
/** @param {string} path @param {(text: string) => string} change */
const edit = (path, change) => writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));

git('init', '--quiet', '--initial-branch=main');
const written = await benchfolio('init', 'shop');
assert.equal(written.code, 0, written.stderr);
assert.match(written.stdout, /compose\.yaml runs api beside db/);
const spec = 'specs/shop/spec.toml';
edit(spec, (text) =>
  text
    .replace('[[environments.local.services]]', '[[environments.local.services]]\nname = "db"\n\n$&')
    .replace(
      '# A load,',
      '[[environments.local.after_ready]]\nname = "seed"\nservice = "api"\ncommand = ["python3", "seed.py"]\n\n$&',
    ),
);
edit('bench.toml', (text) => `${text}\n[duet]\nload = false # the lanes would take as long again\n`);
git('add', '--all');
git('commit', '--quiet', '--message=The shop, and its benchmark');
say('init, and a step that seeds');

const run = await benchfolio('run', 'shop', '--quick', '--rounds', '1');
assert.ok(run.code === 0 || run.code === 3, run.stdout + run.stderr);
const record = await readJson(join(await lastRun(folder), 'shop', 'local', 'steady', 'record.json'));
for (const name of ['api', 'db']) {
  const { metrics } = record.services[name];
  assert.ok(metrics.cpu_ms_per_request.value > 0, `${name} has no CPU time`);
  say(`run: ${name} ${metrics.cpu_ms_per_request.value.toFixed(2)} ms of CPU time a request`);
}

/**
 * Measures a branch against main.
 * @param {string} branch
 * @param {(text: string) => string} change of app.py
 */
async function duetOf(branch, change) {
  git('checkout', '--quiet', '-b', branch, 'main');
  edit('app.py', change);
  git('commit', '--quiet', '--all', `--message=${branch}`);
  const { code, stdout, stderr } = await benchfolio('duet', 'main', 'shop', '--quick');
  const { cases } = await readJson(join(await lastRun(folder), 'comparison.json'));
  say(`duet of ${branch}: ${stdout.split('\n')[0]}`);
  const rowOf = (/** @type {string} */ metric) =>
    cases[0].metrics.find((/** @type {{ metric: string }} */ row) => row.metric === metric);
  return { code, text: stdout + stderr, rowOf };
}

const slower = await duetOf('a-query-per-row', (text) =>
  text
    .replace(/SELECT o\.id, c\.name FROM .* LIMIT 20/, 'SELECT id, customer FROM orders ORDER BY id LIMIT 20')
    .replace(
      'return [{"id": id, "customer": name} for id, name in rows]',
      'names = [query("SELECT name FROM customers WHERE id = %s", (customer,))[0][0] for _, customer in rows]\n    return [{"id": id, "customer": name} for (id, _), name in zip(rows, names)]',
    ),
);
assert.equal(slower.code, 1, slower.text);
assert.ok(slower.rowOf('cpu_ms_per_request{service:db}').ratio > 2, slower.text);

const same = await duetOf('a-comment', (text) => `# The orders of the shop.\n${text}`);
assert.notEqual(same.code, 1, same.text);
const { verdict } = same.rowOf('cpu_ms_per_request');
assert.ok(verdict === 'same' || verdict === 'unclear', same.text); // unclear: a busy machine

assert.deepEqual(left(), []);
assert.equal(byName(), before);
say('no container, network or volume is left');
