import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/cli.js';
import { temporarySuite } from '../support/site/build.js';
import { until as untilTrue } from '../support/until.js';

/** @import { ChildProcessWithoutNullStreams } from 'node:child_process' */

describe('benchfolio site --serve', () => {
  const folder = temporarySuite({ systems: 1, cases: 1, versions: 1, fresh: false });
  const spec = join(folder, 'specs', 'alpha', 'spec.toml');
  /** @type {ChildProcessWithoutNullStreams} */
  let server;
  let said = '';
  let address = '';

  before(async () => {
    server = spawn(process.execPath, [join(root, 'dist', 'cli', 'bin.js'), 'site', '--serve'], { cwd: folder });
    server.stdout.on('data', (text) => (said += text));
    server.stderr.on('data', (text) => (said += text));
    await until(() => /http:\S+/.test(said));
    [address] = /** @type {RegExpExecArray} */ (/http:\S+/.exec(said));
  });
  after(() => server.kill('SIGKILL'));

  /** @param {string} path @returns {Promise<{ status: number | undefined, type: string | undefined, text: string }>} */
  const fetched = (path) =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: new URL(address).port, path }, (response) => {
        let text = '';
        response
          .on('data', (part) => (text += part))
          .on('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], text }));
      }).on('error', reject);
    });

  const until = (/** @type {() => boolean | Promise<boolean>} */ done) =>
    untilTrue(done, () => `waited in vain; it said:\n${said}`);

  it('answers by the names of this machine alone', async () => {
    const status = (/** @type {string} */ host) =>
      new Promise((resolve, reject) => {
        const { port } = new URL(address);
        get({ host: '127.0.0.1', port, path: '/', headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    assert.deepEqual(
      [await status('evil.example'), await status('localhost:4040'), await status('127.0.0.1')],
      [403, 200, 200],
    );
  });

  it('serves the finished pages', async () => {
    assert.match((await fetched('/')).text, /Synthetic suite/);
    const path = 'versions/v1.0/alpha/single/hello,rate=1000.json';
    const record = await fetched(`/${path}`);
    assert.equal(record.type, 'application/json; charset=utf-8');
    assert.equal(record.text, readFileSync(join(folder, 'reports', path), 'utf8'));
  });

  it('and nothing else', async () => {
    for (const path of ['/no.html', '/../bench.toml', '/..%2fbench.toml', '/%2e%2e/bench.toml', '/systems', '/%']) {
      assert.equal((await fetched(path)).status, 404, path);
    }
  });

  it('makes them again when a spec changes, and waits while it is broken', async () => {
    const text = readFileSync(spec, 'utf8');
    writeFileSync(spec, text.replace(/^title = .*/m, 'title = "Another"'));
    await until(async () => (await fetched('/systems/alpha.html')).text.includes('<h1>Another</h1>'));
    writeFileSync(spec, 'title = "Bro');
    await until(() => /left out: specs\/alpha\/spec\.toml/.test(said));
    writeFileSync(spec, text.replace(/^title = .*/m, 'title = "Fixed"'));
    await until(async () => (await fetched('/systems/alpha.html')).text.includes('<h1>Fixed</h1>'));
  });

  it('ends when asked to', async () => {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    assert.deepEqual(await ended, [0, null]);
  });
});
