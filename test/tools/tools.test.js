import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';

/** Programs that only print a version, on a PATH with nothing else. */
async function pathWith(/** @type {Record<string, string>} */ programs) {
  const files = Object.entries(programs).map(([name, text]) => [name, `#!/bin/sh\necho '${text}'\n`]);
  const folder = await folderOf({ ...Object.fromEntries(files), 'empty/none': '' });
  for (const name of Object.keys(programs)) await chmod(join(folder, name), 0o755);
  return { PATH: folder, BENCHFOLIO_TOOLS: join(folder, 'empty') };
}

test('doctor names what is missing and what to do, and exits 4', async () => {
  const env = await pathWith({ hugo: 'hugo v0.165.0-abc linux/amd64', jq: 'jq-1.7.1' });
  const { code, stdout } = await spawnBenchfolio(['doctor'], { env });
  assert.equal(code, 4);
  assert.match(stdout, /^MISSING {2}k6 .*not on PATH\n.*-> install Go/m);
  assert.match(stdout, /^ok {7}Hugo .*0\.165\.0/m);
});

test('a tool that is too old is refused with its version and the one needed', async () => {
  const env = await pathWith({
    k6: 'k6 v0.50.0 (commit/abc, go1.22, linux/amd64)',
    hugo: 'hugo v0.111.3+extended linux/amd64',
    jq: 'jq-1.5',
  });
  const { stdout } = await spawnBenchfolio(['doctor'], { env });
  assert.match(stdout, /MISSING {2}k6 .*k6 is 0\.50\.0, older than 2\.0/);
  assert.match(stdout, /MISSING {2}Hugo .*hugo is 0\.111\.3, older than 0\.146/);
});

test('jq and gojq are each held to a version of their own', async () => {
  const jq = await pathWith({ jq: 'jq-1.6', k6: 'k6 v2.2.0', hugo: 'hugo v0.165.0' });
  const gojq = await pathWith({ gojq: 'gojq 0.12.17 (rev: HEAD/go1.26)', k6: 'k6 v2.2.0', hugo: 'hugo v0.165.0' });
  assert.match((await spawnBenchfolio(['tools'], { env: jq })).stdout, /^jq +1\.6 /m);
  assert.match((await spawnBenchfolio(['tools'], { env: gojq })).stdout, /^jq +0\.12\.17 .*gojq$/m);
});

test('jq 1.6 serves only where there is no other', async () => {
  const { PATH, BENCHFOLIO_TOOLS } = await pathWith({ ...versions, jq: 'jq-1.6', gojq: 'gojq 0.12.17' });
  assert.match(
    (await spawnBenchfolio(['tools'], { env: { PATH, BENCHFOLIO_TOOLS } })).stdout,
    /^jq +0\.12\.17 .*gojq$/m,
  );
  const later = await pathWith({ ...versions, jq: 'jq-1.7.1' });
  const both = { PATH: `${PATH}:${later.PATH}`, BENCHFOLIO_TOOLS };
  assert.match((await spawnBenchfolio(['tools'], { env: both })).stdout, /^jq +1\.7\.1 /m);
});

test('a k6 with the native player is built where there is none, and comes before others', async () => {
  const built = await folderOf({ k6: "#!/bin/sh\necho 'k6 v2.2.0'\n" });
  await chmod(join(built, 'k6'), 0o755);
  const go = `case $1 in build)
  while [ "$1" != -o ]; do shift; done
  printf '#!/bin/sh\\necho k6 v2.2.0 k6/x/benchfolio\\n' > "$2"; /bin/chmod +x "$2" ;;
esac`;
  const { hugo, jq } = versions;
  const others = await folderOf({
    go: `#!/bin/sh\n${go}\n`,
    hugo: `#!/bin/sh\necho '${hugo}'\n`,
    jq: `#!/bin/sh\necho '${jq.replace('1.6', '1.7')}'\n`,
  });
  for (const name of ['go', 'hugo', 'jq']) await chmod(join(others, name), 0o755);
  const env = { PATH: others, BENCHFOLIO_TOOLS: built };
  assert.match((await spawnBenchfolio(['tools'], { env })).stdout, /^k6 +2\.2\.0 /m);
  assert.match(readFileSync(join(built, 'k6'), 'utf8'), /k6\/x\/benchfolio/);
  // One with the player of another version is built again too, and only that.
  for (const [sources, isBuilt] of /** @type {[string | null, boolean][]} */ ([
    [null, false],
    ['of another version', true],
  ])) {
    await appendFile(join(built, 'k6'), '# before\n');
    if (sources !== null) await writeFile(join(built, 'k6.sources'), sources);
    await spawnBenchfolio(['tools'], { env });
    assert.equal(/# before/.test(readFileSync(join(built, 'k6'), 'utf8')), !isBuilt);
  }
  const { PATH } = await pathWith(versions);
  const both = { ...env, PATH: `${PATH}:${others}` };
  assert.match(
    (await spawnBenchfolio(['tools'], { env: both })).stdout,
    new RegExp(`^k6 +2\\.2\\.0 +${built}/k6$`, 'm'),
  );
  assert.match(
    (await spawnBenchfolio(['doctor'], { env: both })).stdout,
    new RegExp(`^ok +k6 +2\\.2\\.0 at ${built}/k6$`, 'm'),
  );
  // Without Go, one of somebody else's does.
  const alone = await pathWith(versions);
  const { stdout, stderr } = await spawnBenchfolio(['tools'], { env: alone });
  assert.match(
    stdout,
    new RegExp(`^k6 +2\\.2\\.0 +${alone.PATH}/k6 \\(without the native player: JavaScript sends the requests\\)$`, 'm'),
  );
  assert.match(stderr, /^Go is needed to build k6, and is not on PATH$/m);
  assert.match(
    (await spawnBenchfolio(['doctor'], { env: alone })).stdout,
    /^note +k6 +2\.2\.0 at \S+\/k6, without the native player\n +-> npx benchfolio tools/m,
  );
});

/** @param {string} environment lines of its table @param {string} [requires] */
const specWith = (environment, requires = '') => `title = "A"
${requires}
[environments.there]
url = "http://127.0.0.1:9"
${environment}
[scenarios.it]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`;
const versions = { k6: 'k6 v2.2.0', hugo: 'hugo v0.165.0', jq: 'jq-1.6' };

test('Toxiproxy is only spoken of where a spec has a network', async () => {
  const env = await pathWith(versions);
  const without = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': specWith('') });
  assert.doesNotMatch((await spawnBenchfolio(['doctor'], { cwd: without, env })).stdout, /Toxiproxy/);
  assert.doesNotMatch((await spawnBenchfolio(['tools'], { cwd: without, env })).stdout, /Toxiproxy/);
  const network = {
    'bench.toml': '',
    'specs/a/spec.toml': specWith('network = { latency = "5ms" }'),
    'specs/b/spec.toml': 'broken',
  };
  const cwd = await folderOf(network);
  const { code, stdout } = await spawnBenchfolio(['doctor'], { cwd, env });
  assert.match(stdout, /^note {5}Toxiproxy +Toxiproxy is needed and is not on PATH\n +-> install Go/m);
  assert.equal(code, 0, 'other environments run without it');
  const there = await pathWith({ ...versions, 'toxiproxy-server': 'toxiproxy-server version 2.5.0' });
  assert.match(
    (await spawnBenchfolio(['tools'], { cwd, env: there })).stdout,
    /^Toxiproxy +2\.5\.0 .*toxiproxy-server$/m,
  );
});

test('doctor names the Prometheus that a spec asks for, before it is asked', async () => {
  const { PATH, ...env } = await pathWith(versions);
  const metrics = '[scenarios.it.metrics.queue]\ntitle = "Queue"\nunit = ""\nquery = "queue"\n';
  const cwd = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': `${specWith('')}${metrics}` });
  const line = /^note {5}a +there is no prometheus on PATH, so queue will be missing$/m;
  assert.match((await spawnBenchfolio(['doctor'], { cwd, env: { ...env, PATH } })).stdout, line);
  const there = await pathWith({ prometheus: 'prometheus' });
  const both = { ...env, PATH: `${PATH}:${there.PATH}` };
  assert.doesNotMatch((await spawnBenchfolio(['doctor'], { cwd, env: both })).stdout, line);
});

describe('what a system requires', () => {
  const requires = `[[requires]]
program = "no-such-program"
file = "/no/such/*.so"
package = "first second"
why = "it is measured"
[[requires]]
program = "k6"
file = "/proc/*/stat"
package = "k6"
why = "it is there"
[[requires]]
program = "other-program"
package = "other"
why = "it stands before the service"
environments = ["there"]
[environments.alone]
url = "http://127.0.0.1:9"
`;

  test('doctor says what is missing, for what, and how to get it', async () => {
    const env = await pathWith(versions);
    const cwd = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': specWith('', requires) });
    const { code, stdout } = await spawnBenchfolio(['doctor'], { cwd, env });
    assert.match(
      stdout,
      /^note {5}a +no-such-program and \/no\/such\/\*\.so not found: it is measured\n +-> .*: sudo apt-get install first second$/m,
    );
    assert.match(stdout, /^note {5}a +other-program not found: it stands before the service \(in there\)\n/m);
    assert.match(stdout, /^ok {7}a +\S+\/k6, \/proc\/[\w-]+\/stat$/m);
    assert.equal(code, 0);
  });

  test('run says all of it before it does anything', async () => {
    const cwd = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': specWith('', requires) });
    const env = await pathWith(versions);
    const all = await spawnBenchfolio(['run', '--env', 'there'], { cwd, env });
    assert.equal(all.code, 4, all.stderr);
    assert.match(
      all.stderr,
      /not everything is installed:\n {2}a requires no-such-program and \S+: it is measured\n {2}a requires other-program: /,
    );
    assert.match(all.stderr, /sudo apt-get install first second other\n/);
    const alone = await spawnBenchfolio(['run', '--env', 'alone'], { cwd, env });
    assert.equal(alone.code, 4);
    assert.doesNotMatch(alone.stderr, /other-program/);
    assert.ok(!existsSync(join(cwd, '.bench')));
  });
});
