// Looks at a duet reduce what is new, and nothing twice.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordFile } from '../../dist/records/reduce-case.js';
import { copyOf, edit, readJson } from '../support/raw.js';

test('raw files are reduced again when one of them has changed, or another round is complete', async () => {
  const folder = copyOf('ok');
  const record = join(folder, 'record.json');
  assert.equal(await recordFile(folder), record);
  const first = statSync(record).ino; // a record is replaced, not written over
  const { rounds } = readJson(record);

  await recordFile(folder);
  assert.equal(statSync(record).ino, first, 'nothing has changed');

  edit(join(folder, 'round-1', 'round.json'), (round) => ({ ...round, redirects_stopped: 7 }));
  await recordFile(folder);
  const second = statSync(record).ino;
  assert.notEqual(second, first, 'a file has changed');

  cpSync(join(folder, 'round-1'), join(folder, `round-${rounds + 1}`), { recursive: true });
  await recordFile(folder);
  assert.equal(readJson(record).rounds, rounds + 1);

  const text = readFileSync(record, 'utf8');
  execFileSync('cp', ['--preserve=timestamps', record, `${record}.copy`]);
  writeFileSync(record, text.replace('true', 'null'));
  assert.notEqual(readFileSync(record, 'utf8'), text);
  execFileSync('touch', ['--reference', `${record}.copy`, record]);
  await recordFile(folder);
  assert.equal(readFileSync(record, 'utf8'), text, 'somebody else wrote a record, of the same size and time');

  renameSync(record, `${record}.gone`);
  await recordFile(folder);
  assert.ok(existsSync(record), 'the record had gone');
});
