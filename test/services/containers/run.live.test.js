// What of a service in a container depends on time: its CPU, its faults.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cgroupMeter, cgroupOf, pidsIn } from '../../../dist/base/process/cgroup.js';
import { usageMeter } from '../../../dist/base/process/usage.js';
import { spawnBenchfolio } from '../../support/cli.js';
import { app, contained, docker, left, noDocker, placeOf } from '../../support/containers.js';
import { readJson } from '../../support/situations.js';

describe('a service in a container', { skip: noDocker }, () => {
  test('has the CPU time that its processes have in /proc, within 2 %', async (context) => {
    const folder = await contained(app());
    const image =
      docker('build', '--quiet', join(folder, 'specs', 'box'))
        .split('\n')
        .at(-1) ?? '';
    const id = docker('run', '--detach', '--publish', '127.0.0.1::8080', image);
    context.after(() => docker('rm', '--force', id));
    const pid = Number(docker('inspect', '--format', '{{.State.Pid}}', id));
    const address = docker('port', id, '8080');
    const cgroup = cgroupOf(pid);
    assert.ok(cgroup !== null && pidsIn(cgroup).includes(pid));
    const [ofGroup, ofProcess] = [cgroupMeter(), usageMeter()];
    const look = () => [ofGroup(cgroup).cpu_ns, ofProcess([pid]).cpu_ns];
    const before = look();
    const itself = Number(await (await fetch(`http://${address}/burn?time=2s`)).text());
    const used = look().map((value, i) => value - before[i]);
    assert.ok(itself >= 2e9);
    for (const value of used) assert.ok(Math.abs(value / itself - 1) < 0.02, `${used} against ${itself}`);
  });

  for (const action of ['stop', 'kill', 'pause']) {
    test(`comes back after a fault: ${action}`, async () => {
      const folder = await contained(
        `${app()}[scenarios.hello]
executor = "constant-arrival-rate"
rate = 50
duration = "8s"
preAllocatedVUs = 100
smoke = false
requests = [{ get = "/", timeout = "2s" }]
[[scenarios.hello.faults]]
service = "app"
action = "${action}"
at = "2s"
for = "1s"
[scenarios.hello.thresholds]
http_req_failed = "rate<1"
`,
      );
      const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
      assert.equal(code, 0, stdout + stderr);
      const { faults } = await readJson(join(await placeOf(folder), 'round-1', 'round.json'));
      assert.ok(faults[0].down && faults[0].up && faults[0].ready, JSON.stringify(faults));
      const lines = (await readFile(join(await placeOf(folder), 'round-1', 'services.ndjson'), 'utf8'))
        .trim()
        .split('\n');
      const cpu = lines.map((line) => JSON.parse(line).services.app.cpu_ns);
      assert.ok(
        cpu.every((value, i) => i === 0 || value >= cpu[i - 1]),
        `CPU time falls: ${cpu}`,
      );
      assert.deepEqual(left(), []);
    });
  }
});
