// A load ends, whatever k6 does.

import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive } from '../../dist/base/process/processes.js';
import { startGenerators } from '../../dist/run/generator/start-generators.js';
import { plannedTime, timeLimit } from '../../dist/run/generator/time-limit.js';
import { loadOf } from '../../dist/suite/cases/executors.js';
import { caseWith, runIn } from '../support/services-in.js';

const k6 = { executor: 'constant-vus', vus: 100, duration: '10s' };
const script = null;

test('the time that k6 may take is what its options allow', () => {
  assert.equal(plannedTime({ k6, duration_s: 10, script }), 40);
  assert.equal(plannedTime({ k6: { ...k6, gracefulStop: '5s' }, duration_s: 10, script: 'order.js' }), 135);
  const ramp = { executor: 'ramping-vus', stages: [], gracefulStop: '0s', gracefulRampDown: '2m' };
  assert.equal(plannedTime({ k6: ramp, duration_s: 10, script }), 130);
  const counted = { executor: 'shared-iterations', gracefulStop: '0s' };
  assert.equal(plannedTime({ k6: counted, duration_s: null, script }), 600);
  assert.equal(plannedTime({ k6: { ...counted, maxDuration: '20s' }, duration_s: null, script }), 20);
  const { after_s, reason } = timeLimit(/** @type {any} */ ({ k6, load: loadOf(k6), duration_s: 10, script }));
  assert.equal(after_s, 102);
  assert.match(reason, /^k6 did not end within 1m42s \(expected at most 40s\): /);
});

test('a k6 that stands still is ended, and has failed', async (context) => {
  const { run, folder } = await runIn(context);
  const stuck = join(folder, 'k6');
  await writeFile(stuck, '#!/bin/sh\necho started >&2\nkill -STOP $$\n');
  await chmod(stuck, 0o755);
  const benchCase = { ...caseWith(''), player: 'javascript', script: null, requests: [], faults: [], instances: 2, k6 };
  const round = {
    folder,
    targets: [{ url: '', hosts: [], ready: {}, values: { env: {}, specDir: '', runDir: '', ports: {} } }],
    part: 1,
    cores: null,
    stream: null,
  };
  const inRun = { ...run, k6: stuck, k6_version: '2.0', root: folder, memory_bytes: 1e9 };
  const limit = { after_s: 0.5, reason: 'k6 had not ended' };
  const generators = await startGenerators({ file: 'case.json', benchCase }, round, inRun, limit);
  await generators.exited;
  assert.equal(generators.failed()?.reason, 'k6 had not ended');
  assert.match(generators.failed()?.log.text() ?? '', /started/);
  await generators.end();
  for (const { pid, start } of generators.running) assert.ok(!isAlive(pid, start));
});
