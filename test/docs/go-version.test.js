import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goNeeded } from '../../dist/base/tools/build-tool.js';
import { root } from '../support/cli.js';

test('the documentation asks for the Go that the tools need', () => {
  const needed = ['k6', 'hugo', 'gojq'].map((tool) => String(goNeeded(join(root, 'src', 'base', 'tools', tool))));
  const most = needed.reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b));
  const docs = readdirSync(join(root, 'site', 'content'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('site', 'content', name));
  const said = ['README.md', ...docs].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bGo (\d+\.\d+) or later/g)].map(([, version]) => ({
      file,
      version,
    })),
  );
  assert.ok(said.length > 2);
  assert.deepEqual(
    said.filter(({ version }) => version !== most),
    [],
    `Go ${most}`,
  );
});
