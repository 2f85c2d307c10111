// Both sides of a duet have an image of their own checkout, and a network of their own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../../support/cli.js';
import { contained, docker, left, noDocker } from '../../support/containers.js';
import { lastRun, readJson } from '../../support/situations.js';

const spec = `
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.app}"
[[environments.here.services]]
name = "app"
container = { build = ".", port = 8080 }
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 50
duration = "4s"
preAllocatedVUs = 10
requests = [{ get = "/" }]
`;

/** Blocks that are just long enough, without lanes. */
const short = '[duet]\nload = false\nwarmup = "500ms"\nduration = "2s"\n';

/** @param {string} folder @param {string[]} args */
const git = (folder, ...args) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder });

/** @param {string} folder */
function committed(folder) {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message=base');
}

describe('a duet of two images', { skip: noDocker }, () => {
  test('measures what the commit of each side builds', async () => {
    const folder = await contained(spec, { '.gitignore': '.bench\n' }, short);
    committed(folder);
    const dockerfile = join(folder, 'specs', 'box', 'Dockerfile');
    writeFileSync(dockerfile, readFileSync(dockerfile, 'utf8').replace('CMD', 'ENV BURN=4ms\nCMD'));
    git(folder, 'commit', '--quiet', '--all', '--message=slower');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', '--blocks', '8'], { cwd: folder });
    assert.equal(code, 1, stdout + stderr);
    const run = await lastRun(folder);
    const { cases } = await readJson(join(run, 'comparison.json'));
    const row = (/** @type {string} */ name) =>
      cases[0].metrics.find((/** @type {{ metric: string }} */ { metric }) => metric === name);
    const cpu = row('cpu_ms_per_request');
    assert.ok(cpu.head - cpu.base > 3, JSON.stringify(cpu));
    assert.deepEqual(left(), []);
  });

  test('that no commit builds is no comparison of commits', async (context) => {
    const folder = await contained(spec, { '.gitignore': '.bench\n' }, short);
    const image = `benchfolio-test-${process.pid}`;
    docker('build', '--quiet', '--tag', image, join(folder, 'specs', 'box'));
    context.after(() => docker('rmi', '--force', image));
    writeFileSync(join(folder, 'specs', 'box', 'spec.toml'), spec.replace('build = "."', `image = "${image}"`));
    committed(folder);
    writeFileSync(join(folder, 'README.md'), 'More is said.\n');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=words');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', '--blocks', '3'], { cwd: folder });
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout.replace(/\s+/g, ' '), new RegExp(`base's service app runs the image ${image}.*the same image`));
  });

  test('may have only one: head is a process', async () => {
    const folder = await contained(spec, { '.gitignore': '.bench\n' }, short);
    committed(folder);
    const asProcess = 'command = ["./app"]\nenv = { PORT = "${port}" }';
    const path = join(folder, 'specs', 'box', 'spec.toml');
    writeFileSync(path, spec.replace('container = { build = ".", port = 8080 }', asProcess));
    git(folder, 'commit', '--quiet', '--all', '--message=process');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', '--blocks', '2'], { cwd: folder });
    assert.equal(code, 3, stdout + stderr);
    const { cases } = await readJson(join(await lastRun(folder), 'comparison.json'));
    const row = (/** @type {RegExp} */ metric) =>
      cases[0].metrics.find((/** @type {{ metric: string }} */ one) => metric.test(one.metric));
    assert.ok(row(/^cpu_ms_per_request$/).base > 0, stdout);
    assert.match(row(/^memory_bytes_max$/).reason, /memory is the working set in the baseline, and PSS here/);
    assert.deepEqual(left(), []);
  });

  test('that came out the same says so', async () => {
    const folder = await contained(spec, { '.gitignore': '.bench\n' }, short);
    committed(folder);
    writeFileSync(join(folder, 'README.md'), 'More is said.\n');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=words');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', '--blocks', '3'], { cwd: folder });
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout.replace(/\s+/g, ' '), /The image of app is the same on both sides/);
  });
});
