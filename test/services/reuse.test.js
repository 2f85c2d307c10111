// Folders of processes that are filled once a run and copied for each start.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { cacheOf, repositoryOf } from '../support/commits.js';
import { reusing, seedings, startsOf } from '../support/reuse.js';

const server = `
const { appendFileSync, readFileSync } = require('node:fs');
const [, , data, port] = process.argv;
console.log('it has ' + readFileSync(data + '/rows', 'utf8'));
require('node:http').createServer((request, response) => {
  if (request.url === '/add') appendFileSync(data + '/rows', ', another');
  response.end('ok');
}).listen(port, '127.0.0.1');
`;

/** @param {string} more lines of the environment */
const files = (more) => ({
  'bench.toml': '[duet]\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\nload = false\n[compare]\nalpha = 1e-9\n', // nothing is decided
  'specs/box/spec.toml': `title = "Box"${reusing(`${more}
[[environments.here.services]]
name = "app"
setup = [["mkdir", "\${run.dir}/data"], ["cp", "rows", "\${run.dir}/data/rows"]]
command = ["node", "server.cjs", "\${run.dir}/data", "\${port}"]
[[environments.here.after_ready]]
name = "login"
command = ["echo", "token"]
capture = { token = { regex = ".+" } }
`)}`,
  'specs/box/server.cjs': server,
  'specs/box/rows': 'a row',
});

describe('reuse', () => {
  test('a folder of a process is made by its setup once', async () => {
    const folder = await folderOf(files('reuse = ["${run.dir}/data"]'));
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '3'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await seedings(folder), 1);
    assert.equal(await startsOf(folder), 'it has a row\n'.repeat(3));
  });

  test('each side of a duet fills its own once', async () => {
    const folder = await repositoryOf(files('reuse = ["${run.dir}/data"]'), { note: 'a' }, { 'specs/box/rows': 'two' });
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', 'HEAD~1', 'HEAD', 'box'], {
      cwd: folder,
      env: { XDG_CACHE_HOME: cacheOf(folder) },
    });
    assert.equal(code, 3, stdout + stderr);
    assert.equal(await seedings(folder), 2);
    const starts = await startsOf(folder);
    for (const text of ['it has a row\n', 'it has two\n']) assert.equal(starts.split(text).length - 1, 2, starts);
  });

  test('each combination of swept values has its own, whatever the load of a case before left', async () => {
    const text = files('reuse = ["${run.dir}/data"]')
      ['specs/box/spec.toml'].replace('setup = [', 'files = { "rows.conf" = "${run.dir}/rows.conf" }\nsetup = [')
      .replace('["mkdir", "${run.dir}/data"]', '["mkdir", "-p", "${run.dir}/data"]')
      .replace(
        '["cp", "rows", "${run.dir}/data/rows"]',
        '["sh", "-c", "cat $0 >> $1", "${run.dir}/rows.conf", "${run.dir}/data/rows"]',
      )
      .replace('vus = 1', 'vus = 1\nsweep = { rows = ["three", "fifty"] }');
    const folder = await folderOf({
      ...files(''),
      'specs/box/spec.toml': text,
      'specs/box/rows.conf': '${rows} rows',
    });
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '1'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await seedings(folder), 2);
    for (const rows of ['three', 'fifty']) {
      const logs = await startsOf(folder, `add,rows=${rows}/`);
      assert.match(logs, new RegExp(`^(it has ${rows} rows\n)+$`));
    }
  });

  test('who had to be killed has nothing that could be reused', async () => {
    const spec = files('reuse = ["${run.dir}/data"]');
    const folder = await folderOf({
      ...spec,
      'specs/box/spec.toml': spec['specs/box/spec.toml'].replace('setup = [', 'stop_timeout = "300ms"\nsetup = ['),
      'specs/box/server.cjs': `${server}process.on('SIGTERM', () => {});\n`,
    });
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '1'], { cwd: folder });
    assert.equal(code, 4, stdout);
    assert.match(stderr, /did not end in time, and was killed: what it keeps may not be whole[\s\S]*stop_timeout/);
  });

  test('what somebody made read-only is replaced, too', async () => {
    const text = files('reuse = ["${run.dir}/data"]')
      ['specs/box/spec.toml'].replace(
        'setup = [',
        'setup = [["mkdir", "-p", "${run.dir}/data/fixed/inner"], ["chmod", "-R", "a-w", "${run.dir}/data/fixed"], ',
      )
      .replace('["mkdir", "${run.dir}/data"], ', '');
    const folder = await folderOf({ ...files(''), 'specs/box/spec.toml': text });
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '2'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
  });

  test('what was not made cannot be reused', async () => {
    const folder = await folderOf(files('reuse = ["${run.dir}/none"]'));
    const { code, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 4);
    assert.match(stderr, /there is no \/.*\/none to reuse: no `setup`, service or step has made it/);
  });
});
