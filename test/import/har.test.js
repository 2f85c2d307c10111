import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio } from '../support/cli.js';
import { fixture } from '../support/imported.js';
import { newSuite } from '../support/runs.js';

test('a recording becomes a spec without secrets, that check takes and nothing overwrites', async () => {
  const suite = newSuite();
  const har = fixture('har', 'session.har');
  const args = ['import', 'har', har, '--system', 'shop', '--write', 'specs/shop/spec.toml'];
  const written = await benchfolio(args, { cwd: suite });
  assert.equal(written.code, 0, written.stderr);
  assert.match(
    written.stderr,
    /Left out: 1 static, 1 to localhost:\d+\nHeaders left out: authorization, cookie, x-api-key\n/,
  );
  const spec = readFileSync(join(suite, 'specs', 'shop', 'spec.toml'), 'utf8');
  assert.doesNotMatch(spec, /topsecret|abcdef123/);
  assert.match(spec, /get = "\/api\/items\?page=1&token=\$\{env\.HAR_TOKEN\}"/);
  assert.match(spec, /body = \{ json = \{ item = 7, session_token = "\$\{env\.HAR_SESSION_TOKEN\}" \} \}/);
  assert.match(spec, /body = \{ form = \{ password = "\$\{env\.HAR_PASSWORD\}", user = "ann" \} \}/);
  assert.match(spec, /think = "[\d.]+s"/);
  const checked = await benchfolio(['check', 'shop'], { cwd: suite });
  assert.equal(checked.code, 0, checked.stdout);
  const again = await benchfolio(args, { cwd: suite });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /is there already/);
  assert.equal(readFileSync(join(suite, 'specs', 'shop', 'spec.toml'), 'utf8'), spec);
  const printed = await benchfolio(['import', 'har', har, '--system', 'shop', '--statics'], { cwd: suite });
  assert.match(printed.stdout, /get = "\/style\.css"/);
  writeFileSync(join(suite, 'x.har'), '{"log": {"entries": []}}');
  const empty = await benchfolio(['import', 'har', 'x.har', '--system', 'shop'], { cwd: suite });
  assert.match(empty.stderr, /x\.har has no HTTP request/);
  assert.ok(!existsSync(join(suite, 'reports')));
});
