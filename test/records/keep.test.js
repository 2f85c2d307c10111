import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keep } from '../../dist/cli/commands/keep.js';
import { keepRecords } from '../../dist/records/keep.js';
import { readRecord } from '../../dist/records/read-record.js';
import { recordProblem, versionNames } from '../../dist/records/records.js';
import { schemaVersion } from '../../reports/schema/version.js';
import { edit, rawOf, readJson } from '../support/raw.js';
import { addRun, newSuite, worldIn } from '../support/runs.js';

const versions = (/** @type {string} */ suite) => join(suite, 'reports', 'versions');

test('files the records of a run under the version, whole and with its name', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }, { raw: 'warmup' }]);
  const world = worldIn(suite);
  assert.equal(await keep({ name: 'v1.0' }, world), 0);
  assert.match(world.text(), /^Kept 2 records of the run \S+ as v1\.0: reports\/versions\/v1\.0\n/);
  assert.deepEqual(readdirSync(versions(suite), { recursive: true }).sort(), [
    'v1.0',
    'v1.0/tiny',
    'v1.0/tiny/single',
    'v1.0/tiny/single/ok.json',
    'v1.0/tiny/single/warmup.json',
  ]);
  const record = readJson(join(versions(suite), 'v1.0', 'tiny', 'single', 'ok.json'));
  assert.equal(recordProblem(record), null);
  assert.equal(record.version, 'v1.0');
});

test('what is invalid, failed or missed a threshold is left out, named, and decides the exit code', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [
    { raw: 'ok' },
    { raw: 'dead' },
    { raw: 'dropped' },
    { name: 'later', status: 'todo', reason: 'not yet' },
  ]);
  const world = worldIn(suite);
  assert.equal(await keep({ name: 'v1' }, world), 1);
  assert.match(world.text(), /^Kept 1 record of the run \S+ as v1: /);
  assert.match(world.text(), /Left out:\n {2}tiny nowhere dead: fail: 100 % of the requests failed, the cap is 1 %\n/);
  assert.match(world.text(), /\n {2}tiny single dropped: invalid: Saturated/);
  assert.doesNotMatch(world.text(), /tiny single later/);
  assert.deepEqual(readdirSync(join(versions(suite), 'v1', 'tiny')), ['single']);

  addRun(suite, 'two', [{ raw: 'ok' }, { raw: 'dropped' }]);
  assert.equal(await keep({ name: 'v2' }, worldIn(suite)), 3);
  addRun(suite, 'three', [{ raw: 'ok' }, { name: 'never', status: 'error', reason: 'never ready' }]);
  assert.equal(await keep({ name: 'v3' }, worldIn(suite)), 4);
});

test('what a clock that was wrong dates in the future is not kept: it would be the newest for good', async () => {
  const suite = newSuite();
  const dated = (/** @type {string} */ folder) =>
    edit(join(folder, 'case.json'), (file) => ({ ...file, run: { ...file.run, time: '2200-01-01T00:00:00Z' } }));
  addRun(suite, 'one', [{ raw: 'ok', change: dated }]);
  await assert.rejects(keep({ name: 'v1' }, worldIn(suite)), {
    code: 3,
    message: /\n {2}tiny single ok: invalid: its time is in the future: the clock was wrong$/,
  });
});

test('nothing worth keeping leaves nothing behind', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'dropped' }]);
  await assert.rejects(keep({ name: 'v1' }, worldIn(suite)), {
    code: 3,
    message: /^nothing of the run one can be kept as v1\n {2}tiny single dropped: invalid/,
  });
  assert.equal(existsSync(versions(suite)), false);
});

test('after what left no run, an older run is kept only by its name', async () => {
  const suite = newSuite();
  addRun(suite, '20261121T120000Z-9', [{ raw: 'ok' }]);
  mkdirSync(join(suite, '.bench', 'runs', '20261121T130000Z-10'));
  await assert.rejects(keep({ name: 'v1' }, worldIn(suite)), {
    code: 2,
    message:
      'what was measured last, 20261121T130000Z-10, left no run: it found nothing, ended early, or still goes on',
    hint: 'Measure what can be kept with benchfolio run, or name the run: benchfolio keep v1 20261121T120000Z-9',
  });
  assert.equal(existsSync(versions(suite)), false);
  assert.equal(await keep({ name: 'v1', run: '20261121T120000Z-9' }, worldIn(suite)), 0);
  addRun(suite, '20261121T140000Z-8', [{ raw: 'ok' }]);
  assert.equal(await keep({ name: 'v2' }, worldIn(suite)), 0);
});

test('a version that is kept is never touched again', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  await keep({ name: 'v1' }, worldIn(suite));
  const before = readJson(join(versions(suite), 'v1', 'tiny', 'single', 'ok.json'));
  addRun(suite, 'two', [{ raw: 'warmup' }]);
  await assert.rejects(keep({ name: 'v1' }, worldIn(suite)), { code: 2, message: /^version v1 is kept already/ });
  assert.deepEqual(readJson(join(versions(suite), 'v1', 'tiny', 'single', 'ok.json')), before);
  assert.deepEqual(readdirSync(join(versions(suite), 'v1', 'tiny', 'single')), ['ok.json']);
});

test('of two who keep the same version at once one succeeds, and nothing of the other stays', async () => {
  const suite = { root: newSuite() };
  const record = readJson(join(rawOf('ok'), 'record.json'));
  const others = await Promise.allSettled([1, 2, 3].map((n) => keepRecords(suite, 'v1', [{ ...record, seed: n }])));
  assert.equal(others.filter(({ status }) => status === 'fulfilled').length, 1);
  const reasons = others.flatMap((other) => (other.status === 'rejected' ? other.reason.message : []));
  for (const reason of reasons) assert.match(reason, /^version v1 is kept already/);
  assert.deepEqual(readdirSync(versions(suite.root)), ['v1']);
});

test('names that cannot be a folder or an address are refused before anything is done', async () => {
  for (const version of ['', '.', '..', '../x', 'a/b', '-x', '.hidden', 'v1.html', 'a b', 'ä', 'x'.repeat(65)]) {
    const message = `"${version}" cannot name a version`;
    await assert.rejects(keep({ name: version }, worldIn('/nowhere')), { code: 2, message });
  }
});

test('a version that is being written is none yet', () => {
  const suite = newSuite();
  for (const name of ['.draft.1.tmp', 'v1']) mkdirSync(join(versions(suite), name, 'tiny'), { recursive: true });
  assert.deepEqual(versionNames({ root: suite }), ['v1']);
});

test('a damaged record, or one in the wrong place, is named, with what is wrong and what to do', () => {
  const suite = newSuite();
  const file = join(suite, 'record.json');
  const record = readJson(join(rawOf('ok'), 'record.json'));
  const text = JSON.stringify(record);
  const refused = (/** @type {string} */ content, /** @type {RegExp} */ message) => {
    writeFileSync(file, content);
    assert.throws(
      () => readRecord(file),
      (/** @type {any} */ error) => {
        assert.equal(error.code, 2);
        assert.match(error.message, message);
        assert.ok(error.message.includes(file) && error.hint);
        return true;
      },
    );
  };
  refused(text.slice(0, 500), /is truncated or damaged: /);
  refused('', /is truncated or damaged: it is empty/);
  refused(text.replace('"seed":1', '"seed":NaN'), /is truncated or damaged: .*N/);
  refused(
    JSON.stringify({ ...record, schema: schemaVersion - 1 }),
    /is of an older Benchfolio: it has schema version \d+, and this one reads \d+/,
  );
  refused(
    JSON.stringify({ ...record, schema: schemaVersion + 1 }),
    /is of a newer Benchfolio: it has schema version \d+/,
  );
  refused('[]', /has no schema version/);
  const changed = (/** @type {Record<string, unknown>} */ change) => JSON.stringify({ ...record, ...change });
  const metrics = { latency_ms_p50: { value: 'fast' } };
  refused(changed({ metrics }), /is not a record: \/metrics\/latency_ms_p50 /);
  refused(changed({ case: '../../etc/passwd' }), /is not a record: \/case must match pattern/);
  refused(changed({ extra: 1 }), /is not a record: it must NOT have additional properties \(extra\)/);
  assert.throws(() => readRecord(join(suite, 'none.json')), /none\.json does not exist/);
  writeFileSync(file, text);
  const { version, system } = record;
  assert.deepEqual(readRecord(file, { version, system }), record);
  assert.throws(() => readRecord(file, { version, system: 'huge' }), /has the system "tiny", and its path says "huge"/);
  assert.throws(() => readRecord(file, { version: 'latest' }), /has "latest" in its path, which cannot name a version/);
});
