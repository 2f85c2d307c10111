// Who sends the requests of a run: the native player where it was asked for and can, else JavaScript, and the run says so.
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
    const [asked, usual] = [await run('player = "native"', []), await run('', [])];
    assert.equal(asked.plain.player, 'native');
    assert.equal('player' in usual.plain, false);
    assert.notEqual(asked.plain.definition, usual.plain.definition);
    assert.equal('player' in asked.ahead, false);
    assert.equal(asked.ahead.definition, usual.ahead.definition);
    assert.match(
      asked.stderr,
      /the JavaScript player, not the native one, sends the requests of a\/here\/ahead: the pattern/,
    );
    assert.doesNotMatch(usual.stderr, /player/);
    assert.equal(existsSync(join(usual.folder, 'plain', 'round-1', 'histograms.ndjson')), false);
  });

  it('is chosen by --player, which the command to repeat it has too', async () => {
    const { plain } = await run('player = "javascript"', ['--player', 'native']);
    assert.equal(plain.player, 'native');
    assert.match(plain.command, / --player native/);
  });
});
