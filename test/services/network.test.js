import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { portPool } from '../../dist/base/process/ports.js';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { shapeNetwork, throughPort } from '../../dist/run/services/shape-network.js';
import { folderOf } from '../support/cli.js';
import { page, registry, shaped } from '../support/network.js';
import { runIn } from '../support/services-in.js';
import { assertNothingLeft, lastRun, processIn, readJson, situations, startRun } from '../support/situations.js';

describe('a slower network', { concurrency: true }, () => {
  test('is where absolute addresses lead that the system makes from the Host header', async (context) => {
    const { url, hosts } = await registry(context);
    const network = await shaped(context, url, { bandwidth_bytes_per_second: 10e6 });
    const { tarball } = await (await fetch(`${network.url}/left-pad`)).json();
    assert.equal(new URL(tarball).host, new URL(network.url).host);
    assert.equal((await (await fetch(tarball)).arrayBuffer()).byteLength, page.length);
    assert.deepEqual(new Set(hosts), new Set([new URL(network.url).host]));
    await network.stop();
    await assert.rejects(fetch(tarball));
  });

  test('does not fill its log, and ends as it should', async (context) => {
    const { url } = await registry(context);
    const network = await shaped(context, url, { latency_ms: 1 });
    for (let i = 0; i < 20; i += 1)
      await fetch(url, { headers: { connection: 'close' } }).then((response) => response.text());
    await network.stop();
    assert.equal(await readFile(network.log, 'utf8'), '');
    assert.notEqual(network.running.exit, null);
  });

  test('one that cannot be had fails the case, and says why', async (context) => {
    const { run, folder } = await runIn(context);
    const network = { bandwidth_bytes_per_second: 1000, latency_ms: 0, jitter_ms: 0 };
    const log = join(folder, 'network.log');
    await assert.rejects(
      shapeNetwork('http://127.0.0.1:9', network, { log, run: { ...run, toxiproxy: '/bin/false' } }),
      /^CaseFailure: the network \(Toxiproxy\) ended with exit code 1 before it was ready/,
    );
    const { run: crowded } = await runIn(context, { port: await portPool().take() }); // it has one port for two purposes
    crowded.toxiproxy = (await findTool('toxiproxy')).path;
    await assert.rejects(
      shapeNetwork('http://127.0.0.1:9', network, { log, run: crowded }),
      /^CaseFailure: the network \(Toxiproxy\): \/proxies answers \d+: .*address already in use/,
    );
  });

  test('the rest of an address stays', () => {
    assert.equal(
      throughPort('http://me:secret@example.org:81/base?q=http://a/', 7),
      'http://me:secret@127.0.0.1:7/base?q=http://a/',
    );
    assert.equal(throughPort('http://[::1]:80', 7), 'http://127.0.0.1:7');
  });
});

describe('an environment with a network', { concurrency: 2 }, () => {
  test('is measured through it', async () => {
    // a user for each request: none is left over where an answer takes long
    const folder = await situations((spec) => spec.replace('preAllocatedVUs = 5\n', 'preAllocatedVUs = 50\n'));
    const { code, stdout, stderr } = await startRun(folder, ['--env', 'slow', '--scenario', 'short']).done;
    assert.equal(code, 0, stdout + stderr);
    const place = join(await lastRun(folder), 'box', 'slow', 'short');
    const { metrics } = await readJson(join(place, 'round-1', 'summary.json'));
    assert.ok(metrics.http_req_duration.values.min >= 50, JSON.stringify(metrics.http_req_duration));
    assert.equal(metrics.http_req_failed.values.rate, 0);
    const [{ services }] = (await readFile(join(place, 'round-1', 'services.ndjson'), 'utf8'))
      .split('\n')
      .slice(0, 1)
      .map((line) => JSON.parse(line));
    assert.deepEqual(Object.keys(services), ['app'], 'Toxiproxy is no service of the system');
    await assertNothingLeft(folder);
  });

  test('fails when its network does, and leaves nothing', async () => {
    const folder = await situations();
    const run = startRun(folder, ['--env', 'slow', '--scenario', 'long']);
    await processIn(folder, 'k6');
    process.kill(await processIn(folder, 'toxiproxy'), 'SIGKILL');
    const { code, stderr } = await run.done;
    assert.equal(code, 4, stderr);
    const { reason } = await readJson(join(await lastRun(folder), 'box', 'slow', 'long', 'failure.json'));
    assert.equal(reason, 'the network (Toxiproxy) was killed by SIGKILL while it was needed');
    await assertNothingLeft(folder);
  });

  test('kill -9 of the runner ends its network too', async () => {
    const folder = await situations();
    const run = startRun(folder, ['--env', 'slow', '--scenario', 'long']);
    await processIn(folder, 'k6');
    run.child.kill('SIGKILL');
    await run.done;
    await assertNothingLeft(folder);
  });

  test('without Toxiproxy it is refused before any load, with what to do; the others are not', async () => {
    const tools = await folderOf({});
    for (const name of ['k6', 'jq']) await symlink((await findTool(name)).path, join(tools, name));
    const env = { PATH: `${tools}:/usr/bin:/bin`, BENCHFOLIO_TOOLS: tools };
    const folder = await situations((spec) => spec.replaceAll('"node"', JSON.stringify(process.execPath)));
    const { code, stderr } = await startRun(folder, ['--env', 'slow', '--scenario', 'short'], env).done;
    assert.equal(code, 4, stderr);
    assert.match(stderr, /Toxiproxy is needed and is not on PATH\n.*benchfolio tools/);
    assert.ok(!existsSync(join(folder, '.bench')));
    const other = await startRun(folder, ['--env', 'good', '--scenario', 'short'], env).done;
    assert.equal(other.code, 0, other.stderr);
  });
});
