import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { labels } from '../../dist/base/process/labelled-containers.js';
import { folderOf, root } from './cli.js';
import { lastRun } from './situations.js';

const fixture = join(root, 'test', 'fixtures', 'container');

/** Asks Docker. @param {string[]} args @returns {string} */
export const docker = (...args) =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Why there are no containers here, for a test that is skipped. */
export const noDocker = spawnSync('docker', ['version']).status === 0 ? false : 'no Docker daemon answers here';

const composes = [
  ['docker', 'compose', 'version'],
  ['docker-compose', 'version'],
];
export const noCompose =
  noDocker ||
  (composes.some(([program, ...args]) => spawnSync(program, args).status === 0) ? false : 'no docker compose is here');

/** The static program of test/fixtures/container, built once. @returns {string} */
function program() {
  const file = join(root, '.bench', 'container', 'app');
  mkdirSync(join(file, '..'), { recursive: true });
  const source = join(fixture, 'main.go');
  const env = { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' };
  execFileSync('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', file, source], { env, stdio: 'inherit' });
  return file;
}
const built = noDocker ? '' : program();

/**
 * A suite whose system "box" has the program of the fixture and its Dockerfiles.
 * @param {string} spec
 * @param {Record<string, string>} [files] more of them, by their paths in the suite
 * @param {string} [bench] bench.toml
 * @returns {Promise<string>} its folder
 */
export async function contained(spec, files = {}, bench = '[run]\nrounds = 1\n') {
  const folder = await folderOf({ 'bench.toml': bench, 'specs/box/spec.toml': spec, ...files });
  const box = join(folder, 'specs', 'box');
  copyFileSync(built, join(box, 'app'));
  for (const name of ['Dockerfile', 'healthy.Dockerfile']) copyFileSync(join(fixture, name), join(box, name));
  return folder;
}

/** What runs have made and not removed, on the whole machine. @returns {string[]} "container 4f0c…" */
const made = () =>
  [['container', '--all'], ['network'], ['volume']].flatMap(([kind, ...more]) =>
    docker(kind, 'ls', '--quiet', ...more, '--filter', `label=${labels.run}`)
      .split('\n')
      .filter(Boolean)
      .map((id) => `${kind} ${id}`),
  );

/** Of others: of a gate whose machine was switched off, say. Only a run in the same folder would remove it. */
const before = new Set(noDocker ? [] : made());

/** What the runs of this test file have made and not removed. */
export const left = () => made().filter((one) => !before.has(one));

/** What runs have built, for the next run in their folder. @returns {string[]} */
const images = () =>
  docker('image', 'ls', '--format', '{{.Repository}}', '--filter', 'reference=benchfolio-????????????')
    .split('\n')
    .filter(Boolean);
// Folders of tests are gone with their test: a thousand such images were here once.
if (!noDocker && process.env.NODE_TEST_CONTEXT) {
  const imagesBefore = new Set(images());
  process.once('exit', () => {
    const built = images().filter((one) => !imagesBefore.has(one));
    if (built.length > 0) spawnSync('docker', ['rmi', ...built]);
  });
}

/** A short load. */
export const hello = `
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 50
duration = "4s"
preAllocatedVUs = 10
saturation = "expected"
requests = [{ get = "/" }]
`;

/** The spec of a service in a container, without scenarios. */
export const app = (more = '', container = 'build = ".", port = 8080') => `
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.app}"
[[environments.here.services]]
name = "app"
container = { ${container} }
${more}
`;

/** Where a case of its last run is. @param {string} folder @param {string} [scenario] */
export const placeOf = async (folder, scenario = 'hello') => join(await lastRun(folder), 'box', 'here', scenario);
