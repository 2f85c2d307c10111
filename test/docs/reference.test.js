// The pages of the reference are as what they are made from. To write them anew:
//
//   RENEW=1 node --test test/docs/reference.test.js
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';
import { markdown } from './markdown.js';
import { referencePages, tableOf } from './reference.js';

const folder = join(root, 'site', 'content', 'docs', 'reference');

for (const [name, text] of Object.entries(await referencePages())) {
  test(`${name} is up to date`, () => {
    const file = join(folder, name);
    if (process.env.RENEW) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
    }
    assert.equal(readFileSync(file, 'utf8'), text, 'run: RENEW=1 node --test test/docs/reference.test.js');
  });
}

test('the page of the action has what action.yml uses, described and with a default', () => {
  const action = readFileSync(join(root, 'action.yml'), 'utf8');
  const inputs = tableOf(action, 'inputs');
  const used = [...action.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name);
  assert.deepEqual(inputs.map(({ name }) => name).sort(), [...new Set(used)].sort());
  const outputs = tableOf(action, 'outputs');
  assert.ok(outputs.length > 3);
  for (const { name, description, value } of [...inputs, ...outputs]) assert.ok(name && description && value, name);
});

test('the page of metrics says what each is called in thresholds', () => {
  const page = readFileSync(join(folder, 'metrics.md'), 'utf8');
  for (const [name, threshold] of Object.entries({
    latency_ms_mean: '`http_req_duration` `avg`',
    latency_ms_p50: '`http_req_duration` `med`',
    latency_ms_p999: '`http_req_duration` `p(99.9)`',
    latency_ms_max: '`http_req_duration` `max`',
    waiting_ms_p95: '`http_req_waiting` `p(95)`',
    errors_ratio: '`http_req_failed` `rate`',
    requests_rps: '`http_reqs` `rate`',
    duration_ms_p95: '`group_duration{group:…}` `p(95)`',
  })) {
    const line = page.split('\n').find((one) => one.startsWith(`- **\`${name}\`**`));
    assert.ok(line?.endsWith(`; in thresholds: ${threshold}`), line);
  }
  assert.match(page, /`throughput_rps`.*only responses as expected/s);
});

test('what Markdown would take for markup is text', () => {
  assert.equal(markdown('a_b of <name>, *'), 'a\\_b of \\<name\\>, \\*');
  assert.equal(
    markdown('{ a = "b" }, `x_y`, "http://h:${port}/" and [[charts]]'),
    '`{ a = "b" }`, `x_y`, `"http://h:${port}/"` and `[[charts]]`',
  );
});
