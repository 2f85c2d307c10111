import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { jqOver } from '../../dist/base/tools/jq.js';
import { refusedPrograms } from '../../dist/base/tools/own-texts.js';
import { folderOf, root } from '../support/cli.js';

const comparison = { verdict: 'pass', cases: [] };
const printed = (/** @type {string} */ program, /** @type {string} */ folder) =>
  jqOver(program, [comparison], { raw: true, reports: join(folder, 'reports') });

test('a suite has texts of its own: a program, or a part of ours', async () => {
  const own = await folderOf({ 'reports/report.md.jq': 'input | "mine: " + .verdict' });
  assert.equal(await printed('report.md.jq', own), 'mine: pass\n');
  const part = await folderOf({ 'reports/lib/write/xml.jq': 'def attributes: " mine"; def escaped: .;' });
  assert.match(
    await jqOver('junit.xml.jq', [{ ...comparison, time: '2026-01-01T00:00:00Z' }], {
      raw: true,
      reports: join(part, 'reports'),
    }),
    /<testsuites mine>/,
  );
});

test('what judges is ours, whatever a suite has', async () => {
  const folder = await folderOf({
    'reports/contradiction.json.jq': '"mine"',
    'reports/lib/compare/verdicts.jq': 'def of_all: "mine";',
    'reports/report.md.jq': '"mine"',
    'reports/versions/v1/x/y/z.jq': '',
  });
  const none = { verdict: 'inconclusive', exit: 3, cases: [] };
  assert.equal(await jqOver('contradiction.json.jq', [none], { reports: join(folder, 'reports') }), null);
  assert.deepEqual(refusedPrograms(join(folder, 'reports')), ['contradiction.json.jq', 'lib/compare/verdicts.jq']);
  await assert.rejects(printed('report.md.jq', folder), /reports\/contradiction\.json\.jq would override what judges/);
  assert.deepEqual(refusedPrograms(join(root, 'reports')), []);
});
