// Who sends the requests of a run: the native player where it can and nothing else was asked for, else JavaScript.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { folderOf, spawnBenchfolio } from '../../support/cli.js';
import { lastRun, readJson } from '../../support/situations.js';
import { startRecorder } from './server.js';

describe('a run by the native player', () => {
  /** @type {Awaited<ReturnType<typeof startRecorder>>} */
  let server;
  before(async () => {
    server = await startRecorder();
  });
  after(() => server.close());

  /** @param {string} bench @param {string[]} args */
  async function run(bench, args) {
    const scenario = (/** @type {string} */ name, more = '') =>
      `[scenarios.${name}]\nexecutor = "constant-vus"\nduration = "1s"\nrequests = [{ get = "/a", think = "20ms"${more} }]\n`;
    const spec = `title = "A"\n[environments.here]\nurl = "${server.url}"\nexternal = ["${server.url}"]\n${scenario('plain')}${scenario('ahead', ', expect = { body = { matches = "o(?=k)" } }')}`;
    const cwd = await folderOf({ 'bench.toml': `[run]\nrounds = 1\n${bench}`, 'specs/a/spec.toml': spec });
    const { stderr, stdout } = await spawnBenchfolio(['run', '--confirm', ...args], { cwd });
    assert.match(stderr, /a\/here\/plain: measured/, stdout);
    const folder = join(await lastRun(cwd), 'a', 'here');
    const recordOf = (/** @type {string} */ name) => readJson(join(folder, name, 'record.json'));
    return { folder, stderr, plain: await recordOf('plain'), ahead: await recordOf('ahead') };
  }

  it('says so in the record, which is another definition, and leaves the rest to JavaScript', async () => {
    const [usual, script] = [await run('', []), await run('player = "javascript"', [])];
    assert.equal(usual.plain.player, 'native');
    const { distribution, timeline, metrics } = usual.plain;
    assert.equal(distribution.error, 0.0039, 'read off histograms');
    assert.equal(metrics.latency_ms_p50.count, distribution.count);
    assert.ok(distribution.values[50] > 0 && timeline.latency_ms_p99[0] >= timeline.latency_ms_p50[0]);
    assert.equal('player' in script.plain, false);
    assert.notEqual(usual.plain.definition, script.plain.definition);
    assert.equal('player' in usual.ahead, false);
    assert.equal(usual.ahead.definition, script.ahead.definition);
    assert.match(
      usual.stderr,
      /the JavaScript player, not the native one, sends the requests of a\/here\/ahead: the pattern/,
    );
    assert.doesNotMatch(script.stderr, /player/);
    assert.equal(existsSync(join(script.folder, 'plain', 'round-1', 'histograms.ndjson')), false);
  });

  it('says which protocol was spoken, and how many connections it opened', async () => {
    const { plain, ahead } = await run('', []);
    for (const { protocols } of [plain, ahead]) assert.deepEqual(Object.keys(protocols), ['HTTP/1.1']);
    const { value, samples } = plain.metrics.connections_per_second;
    assert.deepEqual([samples.length, Math.round(value * plain.window.seconds)], [1, 1]);
    assert.equal('connections_per_second' in ahead.metrics, false);
  });

  it('is chosen by --player, which the command to repeat it has too', async () => {
    const { plain } = await run('player = "javascript"', ['--player', 'native']);
    assert.equal(plain.player, 'native');
    assert.match(plain.command, / --player native/);
  });
});
