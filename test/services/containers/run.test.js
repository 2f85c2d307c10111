// Services in containers, with Docker itself: started, measured, disturbed, stopped. One file of several: they share an engine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio, startBenchfolio } from '../../support/cli.js';
import { app, contained, hello, left, noDocker, placeOf } from '../../support/containers.js';
import { assertNothingLeft, readJson } from '../../support/situations.js';

/** @import { AddressInfo } from 'node:net' */

describe('a service in a container', { skip: noDocker }, () => {
  test('is built, loaded, sampled and removed, with its network and volumes', async () => {
    const folder = await contained(
      app(
        'env = { NAME = "${env.WHO}", HOME = "/nowhere" }',
        'build = { context = ".", args = { GREETING = 1 } }, port = 8080, volumes = ["data:/data"]',
      ) +
        `[[environments.here.after_ready]]
name = "seed"
service = "app"
command = ["/app", "seed"]
capture = { token = { json = "token" } }
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 50
duration = "4s"
preAllocatedVUs = 10
saturation = "expected"
requests = [
  { get = "/", headers = { Authorization = "\${ready.token}" }, expect = { body = "hello from somebody" } },
  { get = "/seeded", expect = { body = "a row" } },
]
`,
    );
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder, env: { WHO: 'somebody' } });
    assert.equal(code, 0, stdout + stderr);
    const place = await placeOf(folder);
    const record = await readJson(join(place, 'record.json'));
    assert.equal(record.memory, 'working_set');
    assert.ok(record.metrics.cpu_ms_per_request.value > 0);
    assert.ok(record.metrics.memory_bytes_max.value > 500_000);
    assert.ok(record.metrics.network_tx_bytes_per_second.value > 100);
    assert.equal(record.metrics.block_write_bytes_per_second.valid, true);
    assert.equal(record.services.app.metrics.block_read_bytes_per_second.valid, true);
    assert.match(stdout, /peak memory \(working set\)/);
    assert.match(await readFile(join(place, 'app.log'), 'utf8'), /listening on 8080\nasked to stop/);
    assert.doesNotMatch(JSON.stringify(record), /captured-somebody/);
    assert.deepEqual(left(), []);
    await assertNothingLeft(folder);
  });

  test('that is one of two finds the other by its name', async () => {
    const folder = await contained(`
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.front}"
[[environments.here.services]]
name = "back"
container = { build = ".", port = 8080 }
env = { NAME = "back" }
[[environments.here.services]]
name = "front"
container = { build = ".", port = 8080 }
env = { OTHER = "http://back:8080/" }
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 20
duration = "4s"
preAllocatedVUs = 10
saturation = "expected"
requests = [{ get = "/other", expect = { body = "hello from back" } }]
`);
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    const record = await readJson(join(await placeOf(folder), 'record.json'));
    assert.deepEqual(Object.keys(record.timeline.services).sort(), ['back', 'front']);
  });
});

describe('a service with several ports in a container', { skip: noDocker }, () => {
  test('is reached on each', async () => {
    const folder = await contained(`
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.app.http}"
[[environments.here.services]]
name = "app"
container = { build = ".", ports = { http = 8080, admin = 9090 } }
env = { ADMIN = "9090", NAME = "both" }
ready = "http://127.0.0.1:\${port.app.admin}/"
[environments.there]
extends = "here"
url = "http://127.0.0.1:\${port.app.admin}"
[scenarios.hello]
environments = ["here"]
executor = "per-vu-iterations"
vus = 1
iterations = 20
requests = [{ get = "/", expect = { body = "hello from both" } }]
[scenarios.admin]
environments = ["there"]
executor = "per-vu-iterations"
vus = 1
iterations = 20
requests = [{ get = "/", expect = { body = "administration" } }]
`);
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--env', 'all'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(left(), []);
  });
});

describe('the image of a service', { skip: noDocker }, () => {
  test('is that of its case, where several are built of one Dockerfile', async () => {
    const folder =
      await contained(`${app('', 'build = { context = ".", args = { GREETING = "${word}" } }, port = 8080')}
[parameters]
word = "none"
[scenarios.hello]
executor = "constant-vus"
vus = 1
duration = "1s"
sweep = { word = ["first", "second"] }
requests = [{ get = "/env?GREETING", expect = { body = "\${word}" } }]
`);
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
  });
});

/**
 * PATH without a Podman that would be taken in Docker's place.
 * @param {string} [as] what Docker's client is started by
 */
async function onlyDocker(as = '') {
  const docker = execFileSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).trim();
  const folder = await folderOf({
    podman: '#!/bin/sh\necho "podman is not for this test" >&2\nexit 125\n',
    docker: `#!/bin/sh\nexec ${as} ${docker} "$@"\n`,
  });
  for (const name of ['podman', 'docker']) await chmod(join(folder, name), 0o755);
  return `${folder}:${process.env.PATH}`;
}

describe('what can go wrong with a container', { skip: noDocker, concurrency: 2 }, () => {
  /** @param {string} spec @param {RegExp} expected @param {Record<string, string>} [env] */
  const fails = async (spec, expected, env = {}) => {
    const folder = await contained(spec + hello);
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder, env });
    assert.equal(code, 4, stdout + stderr);
    assert.match(stdout + stderr, expected);
    assert.doesNotMatch(stdout + stderr, /bug in benchfolio/);
  };

  test('its image is not there and cannot be pulled', () =>
    fails(
      app('', 'image = "127.0.0.1:9/nothing:1", port = 8080'),
      /the image 127\.0\.0\.1:9\/nothing:1 of service "app" is not on this machine and cannot be pulled/,
    ));
  test('a folder that it mounts is not there', () =>
    fails(
      app('', 'build = ".", port = 8080, volumes = ["./none:/none"]'),
      /the volume "\.\/none:\/none" of service "app" cannot be mounted: there is no /,
    ));
  test('its image cannot be built', () =>
    fails(
      app('', 'build = { context = ".", dockerfile = "spec.toml" }, port = 8080'),
      /the build of the image of service "app" failed/,
    ));
  test('there is no Dockerfile', () =>
    fails(app('', 'build = "../..", port = 8080'), /the build of the image of service "app" failed[\s\S]*Dockerfile/));
  test('it ends at once', () =>
    fails(
      app('command = ["/app", "fail"]'),
      /service "app" ended with exit code 7 before it was ready[\s\S]*it cannot go on/,
    ));
  test('it listens on another port', () =>
    fails(
      app('ready_timeout = "2s"', 'build = ".", port = 9090'),
      /was not ready within 2s: the container listens only on 8080, not on port 9090/,
    ));
  test('it listens only inside its container', () =>
    fails(
      app('ready_timeout = "2s"\nenv = { LISTEN = "127.0.0.1" }'),
      /the container listens only on 127\.0\.0\.1:8080, which is unreachable/,
    ));
  test('its health check says no', () =>
    fails(
      app(
        'ready_timeout = "4s"\nenv = { SICK = "1" }',
        'build = { context = ".", dockerfile = "healthy.Dockerfile" }, port = 8080',
      ),
      /was not ready within 4s: its health check says "(starting|unhealthy)": (it answers 503|nothing yet)/,
    ));
  test('"healthy" is asked of an image without a health check', () =>
    fails(app('ready = "healthy"\nready_timeout = "1s"'), /healthy: its image has no health check/));
  test('there is no daemon', async () => {
    const PATH = await onlyDocker();
    await fails(app(), /docker has no daemon that answers[\s\S]*systemctl start docker/, {
      DOCKER_HOST: 'unix:///nowhere.sock',
      PATH,
    });
  });
  test('this user may not use it', {
    skip: process.getuid?.() === 0 ? false : 'only root can be somebody else',
  }, async () => {
    const PATH = await onlyDocker('setpriv --reuid=65534 --regid=65534 --clear-groups');
    await fails(app(), /docker may not be used by this user[\s\S]*usermod -aG docker/, { PATH });
  });
  test('its command is not in the image', () =>
    fails(app('command = ["/nothing"]'), /service "app": its container cannot be started: [^\n]*\/nothing/));

  test('a port that the spec has fixed and somebody has is named', async (context) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => void server.close());
    const { port } = /** @type {AddressInfo} */ (server.address());
    await fails(
      app(
        `ready = "http://127.0.0.1:${port}/"`,
        `build = ".", options = ["--publish=127.0.0.1:${port}:8080"]`,
      ).replaceAll('${port.app}', String(port)),
      new RegExp(`port ${port}, meant for service "app", is taken by process ${process.pid}`),
    );
  });
});

describe('however the runner ends', { skip: noDocker }, () => {
  const times = process.env.FULL ? 20 : 4;
  test(`killed ${times} times, it leaves no container, network, volume or port`, async () => {
    const folder = await contained(
      app('', 'build = ".", port = 8080, volumes = ["data:/data"]') + hello.replace('"4s"', '"60s"'),
    );
    for (let time = 0; time < times; time += 1) {
      const run = startBenchfolio(['run'], { cwd: folder });
      await run.says(/starting/);
      await new Promise((resolve) => setTimeout(resolve, (time * 1377) % 5000)); // while it is made, and under load
      run.child.kill('SIGKILL');
      await run.done;
      await spawnBenchfolio(['check'], { cwd: folder });
    }
    await new Promise((resolve) => setTimeout(resolve, 3000)); // what its engine was still making is removed after two seconds
    assert.deepEqual(left(), []);
    await assertNothingLeft(folder);
  });

  test('Ctrl-C keeps what is complete and removes the rest', async () => {
    const folder = await contained(app() + hello, {}, '[run]\nrounds = 9\n');
    const run = startBenchfolio(['run'], { cwd: folder });
    await run.says(/round 1 of 9 done/);
    run.child.kill('SIGINT');
    assert.equal((await run.done).code, 130);
    assert.deepEqual(left(), []);
  });
});
