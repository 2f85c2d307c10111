// What holds of each load that is measured, whether it is a round of a run or a block of a duet.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { caseFileProblem } from '../support/case-schema.js';
import { folderOf, startBenchfolio } from '../support/cli.js';
import { assertNothingLeft, lastRun, readJson } from '../support/situations.js';

const server = `require('node:http').createServer((request, response) => {
  response.statusCode = request.url === '/' ? 200 : Number(process.env.STATUS);
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');`;

/**
 * @param {string} status that a service of this spec answers with
 * @param {string} [scenario] TOML: what else the scenario says
 */
const spec = (status, scenario = '') => `title = "Box"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.cjs"]
env = { PORT = "\${port}", STATUS = "${status}" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.short]
executor = "constant-vus"
duration = "1s"
${scenario}[[scenarios.short.requests]]
get = "/work"
name = "work"
expect = { status = 200 }
`;

const rules = '[duet]\nload = false\nblocks = 2\nwarmup = "500ms"\nduration = "1s"\n[compare]\nalpha = 1e-9\n';

/** @param {{ head?: string, base?: string, more?: string, scenario?: string }} wish more: what head's service does at its start */
const suite = ({ head = '200', base = '200', more = '', scenario }) =>
  folderOf({
    'bench.toml': `${rules}[run]\nrounds = 1\n`,
    'specs/box/spec.toml': spec(head, scenario),
    'specs/box/server.cjs': `${more}\n${server}`,
    'base/bench.toml': rules, // base says what is loaded, and for how long
    'base/specs/box/spec.toml': spec(base),
    'base/specs/box/server.cjs': server,
  });

/**
 * A PATH whose k6 sends nothing, does this, and says that all went well.
 * @param {string} folder
 * @param {string} shell
 */
async function pathWith(folder, shell) {
  const { path: k6 } = await findTool('k6');
  await mkdir(join(folder, 'bin'));
  await writeFile(
    join(folder, 'bin', 'k6'),
    `#!/bin/sh\n[ "$1" = version ] && exec '${k6}' version\n${shell}\nexit 0\n`,
  );
  await chmod(join(folder, 'bin', 'k6'), 0o755);
  return `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
}

const verbs = /** @type {[string, string[]][]} */ ([
  ['a round', ['run', 'box']],
  ['a block', ['duet', './base', 'box']],
]);

describe('each load', () => {
  for (const [load, args] of verbs) {
    test(`${load} of a k6 that leaves no summary is none, and it is said`, async () => {
      const folder = await suite({});
      const PATH = await pathWith(folder, 'sleep 0.2');
      const { code, stderr } = await startBenchfolio(args, { cwd: folder, env: { PATH } }).done;
      assert.equal(code, 4, stderr);
      assert.match(stderr, /k6 left no summary that can be read/);
      assert.doesNotMatch(stderr, /bug in benchfolio/);
      await assertNothingLeft(folder);
    });

    test(`${load} on a disk that gets full ends with what to do`, async (context) => {
      const folder = await suite({});
      const bench = join(folder, '.bench');
      await mkdir(bench);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', bench]).status === 0;
      if (!mounted) return context.skip('a small disk can only be mounted as root');
      try {
        // A little is left, too little for a summary: it is k6 that cannot write, and it does not say why.
        const fill = `head -c 8m /dev/zero > '${bench}/much' 2>/dev/null; truncate -s -40K '${bench}/much'`;
        const PATH = await pathWith(folder, fill);
        const { code, stderr } = await startBenchfolio(args, { cwd: folder, env: { PATH } }).done;
        assert.equal(code, 4, stderr);
        assert.match(stderr, /cannot write \S+: the disk is full\nFree some space/);
        assert.doesNotMatch(stderr, /bug in benchfolio/);
        const rounds = (await readdir(bench, { recursive: true })).filter((file) => file.endsWith('round.json'));
        assert.deepEqual(rounds, []);
        await assertNothingLeft(folder);
      } finally {
        spawnSync('umount', [bench]);
      }
    });
  }

  for (const [load, args] of verbs) {
    test(`${load} is of the case as it was resolved, whatever becomes of its spec`, async () => {
      const folder = await suite({ more: "require('node:fs').writeFileSync('spec.toml', 'gone =');" });
      const { code, stderr } = await startBenchfolio(args, { cwd: folder }).done;
      assert.equal(code, args[0] === 'run' ? 0 : 3, stderr);
      assert.equal(await readFile(join(folder, 'specs', 'box', 'spec.toml'), 'utf8'), 'gone =');
      const place = join(await lastRun(folder), 'box', 'local', 'short');
      for (const side of args[0] === 'duet' ? ['base', 'head'] : [null]) {
        const file = await readJson(join(place, side ?? '', 'case.json'));
        assert.equal(caseFileProblem(file), null);
        assert.deepEqual([file.root, file.case.side, file.case.parts], [folder, side, 1]);
      }
    });
  }

  test('a duet of users that keep their cookies says why there is none', async () => {
    const folder = await suite({ scenario: 'cookies = "user"\n' });
    const { code, stdout } = await startBenchfolio(['duet', './base', 'box'], { cwd: folder }).done;
    assert.equal(code, 4, stdout);
    assert.match(stdout, /keeps cookies for good/);
  });

  test('a round says how its requests failed', async () => {
    const folder = await suite({ head: '500', scenario: 'smoke = false\n' });
    await startBenchfolio(['run', 'box'], { cwd: folder }).done;
    assert.match(await howFailed(join(await lastRun(folder), 'box', 'local', 'short')), /the first: work: status 500/);
  });

  test('a block says how the requests of each side failed', async () => {
    const folder = await suite({ base: '503', head: '404', scenario: 'smoke = false\n' });
    const { stdout, stderr } = await startBenchfolio(['duet', './base', 'box'], { cwd: folder }).done;
    const place = join(await lastRun(folder), 'box', 'local', 'short');
    assert.ok(existsSync(join(place, 'base', 'record.json')), stdout + stderr);
    assert.match(await howFailed(join(place, 'base')), /the first: work: status 503\)/);
    assert.match(await howFailed(join(place, 'head')), /the first: work: status 404\)/);
  });
});

/** @param {string} folder of a case @returns {Promise<string>} */
async function howFailed(folder) {
  const { findings } = await readJson(join(folder, 'record.json'));
  return findings.find((/** @type {any} */ { id }) => id === 'failed-requests').text;
}
