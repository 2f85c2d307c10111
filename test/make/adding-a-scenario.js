// A scenario that somebody adds to a system of services that are built from packages: node --test test/make/adding-a-scenario.js
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, spawnBenchfolio } from '../support/cli.js';
import { newSuite } from '../support/runs.js';

const system = join(root, 'specs', 's3proxy');

const added = `
[scenarios.added]
executor = "constant-vus"
vus = 1
duration = "2s"

[[scenarios.added.requests]]
name = "1 MiB"
get = "/test1m.tmp"
think = "50ms"
expect = { status = 200, headers = { content-length = "1048576" } }
`;

/** Why it cannot be run here; false when it can. */
function missing() {
  if (!existsSync(system)) return 'there is no system s3proxy';
  return spawnSync('go', ['version']).error ? 'there is no Go, which builds the S3 gateway' : false;
}

// Seconds where the system was measured before, as in `make smoke`, else minutes: it is built.
const given = { skip: missing(), timeout: 900_000 };

test('a scenario is added to s3proxy by editing its spec alone, and runs', given, async () => {
  const suite = newSuite();
  cpSync(system, join(suite, 'specs', 's3proxy'), { recursive: true });
  appendFileSync(join(suite, 'specs', 's3proxy', 'spec.toml'), added);
  const args = ['run', 's3proxy', '--scenario', 'added', '--rounds', '1'];
  const { code, stdout, stderr } = await spawnBenchfolio(args, { cwd: suite });
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  const run = join(suite, '.bench', 'runs', readFileSync(join(suite, '.bench', 'latest'), 'utf8').trim());
  const record = JSON.parse(readFileSync(join(run, 's3proxy', 'v4', 'added', 'record.json'), 'utf8'));
  assert.equal(record.verdict, 'pass');
  assert.ok(record.requests['1 MiB'].count > 0);
  assert.ok(record.services.app.metrics.memory_bytes_max.value > 0, 's3proxy itself was measured');
});
