import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, folderOf } from './cli.js';

/** Programs that only print a version, on a PATH with nothing else. */
async function pathWith(/** @type {Record<string, string>} */ programs) {
  const files = Object.entries(programs).map(([name, text]) => [name, `#!/bin/sh\necho '${text}'\n`]);
  const folder = await folderOf({ ...Object.fromEntries(files), 'empty/none': '' });
  for (const name of Object.keys(programs)) await chmod(join(folder, name), 0o755);
  return { PATH: folder, BENCHFOLIO_TOOLS: join(folder, 'empty') };
}

test('doctor names what is missing and what to do, and exits 4', async () => {
  const env = await pathWith({ hugo: 'hugo v0.165.0-abc linux/amd64', jq: 'jq-1.7.1' });
  const { code, stdout } = await benchfolio(['doctor'], { env });
  assert.equal(code, 4);
  assert.match(stdout, /^MISSING {2}k6 .*not on PATH\n.*-> install Go/m);
  assert.match(stdout, /^ok {7}Hugo .*0\.165\.0/m);
});

test('a tool that is too old is refused with its version and the one needed', async () => {
  const env = await pathWith({
    k6: 'k6 v0.50.0 (commit/abc, go1.22, linux/amd64)', hugo: 'hugo v0.111.3+extended linux/amd64', jq: 'jq-1.5',
  });
  const { stdout } = await benchfolio(['doctor'], { env });
  assert.match(stdout, /MISSING {2}k6 .*k6 is 0\.50\.0, older than 2\.0/);
  assert.match(stdout, /MISSING {2}Hugo .*hugo is 0\.111\.3, older than 0\.146/);
});

test('jq and gojq are each held to a version of their own', async () => {
  const jq = await pathWith({ jq: 'jq-1.6', k6: 'k6 v2.2.0', hugo: 'hugo v0.165.0' });
  const gojq = await pathWith({ gojq: 'gojq 0.12.17 (rev: HEAD/go1.26)', k6: 'k6 v2.2.0', hugo: 'hugo v0.165.0' });
  assert.match((await benchfolio(['tools'], { env: jq })).stdout, /^jq +1\.6 /m);
  assert.match((await benchfolio(['tools'], { env: gojq })).stdout, /^jq +0\.12\.17 .*gojq$/m);
});
