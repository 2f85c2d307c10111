// What several machines measured, each its part, is one record: what one machine would have measured that sent all of it.
import '../support/keeping-up.js';
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { reduceCase } from '../../dist/records/reduce-case.js';
import { benchfolio, folderOf } from '../support/cli.js';
import { playAlone, playTogether, waitingServer } from '../support/parts.js';
import { lastRun, readJson } from '../support/situations.js';

/** Milliseconds that the server takes, and of how many of 400 requests: half of them, nine twentieths, a twentieth. */
const waits = [
  { ms: 5, of: 200 },
  { ms: 100, of: 180 },
  { ms: 400, of: 20 },
];
const all = waits.reduce((sum, { of }) => sum + of, 0);

/** @param {string} url */
const suite = (url) =>
  folderOf({
    'bench.toml': '',
    'specs/shop/waits.csv': `ms,id\n${waits.flatMap(({ ms, of }) => Array.from({ length: of }, (_, i) => `${ms},${i}`)).join('\n')}\n`,
    'specs/shop/spec.toml': `
title = "Shop"
[environments.there]
url = "${url}"
[scenarios.wait]
executor = "shared-iterations"
vus = 16
iterations = ${all}
rows = { file = "waits.csv" }
requests = [{ get = "/wait/\${row.ms}/\${row.id}", name = "wait" }]
`,
  });

describe('merge', () => {
  /** @type {Awaited<ReturnType<typeof waitingServer>>} */
  let server;
  let folder = '';
  /** @type {string[]} */
  let parts = [];
  /** @type {string[]} */
  let seen = [];
  before(async () => {
    server = await waitingServer();
    folder = await suite(server.url);
    const packed = await benchfolio(['archive', 'shop', '--output', 'case.tar'], { cwd: folder });
    assert.equal(packed.code, 0, packed.stderr);
    parts = await playTogether(folder, 4);
    seen = server.seen.splice(0);
  });
  after(() => server.close());

  /** @param {string[]} args */
  const merge = (...args) => benchfolio(['merge', ...args], { cwd: folder });
  const runOf = async () => join(await lastRun(folder), 'shop', 'there', 'wait');

  test('makes of four parts the record of one machine that sent the same', async () => {
    await playAlone(folder);
    const alone = server.seen.splice(0);
    assert.deepEqual(seen.toSorted(), alone.toSorted(), 'both sent each row once');
    const one = await merge('alone', '--json');
    const single = await readJson(join(await runOf(), 'record.json'));
    const four = await merge(...parts, '--json');
    const merged = await readJson(join(await runOf(), 'record.json'));
    for (const record of [single, merged]) {
      assert.equal(record.metrics.throughput_rps.count, all, one.stderr + four.stderr);
      assert.equal(record.distribution.count, seen.length);
      assert.equal(record.requests.wait.count, seen.length);
      assert.equal(record.metrics.errors_ratio.value, 0);
      assert.ok(record.metrics.throughput_rps.value > 0, 'a load that ends with its iterations has a window');
      for (const [i, { ms }] of waits.entries()) {
        const share = waits.slice(0, i).reduce((sum, { of }) => sum + of, 0) / all;
        const after = record.distribution.p.findIndex((/** @type {number} */ p) => p > share * 100 + 1);
        assert.ok(record.distribution.values[after] >= ms - 1, `${ms} ms: ${record.distribution.values[after]}`);
      }
    }
    assert.deepEqual(Object.keys(merged.metrics), Object.keys(single.metrics));
    assert.deepEqual(merged.distribution.p, single.distribution.p);
    assert.equal(merged.distribution.error, single.distribution.error, 'as exact as that of one');
    assert.notEqual(merged.definition, single.definition, 'a load that is cut is another');
    assert.doesNotMatch(JSON.stringify(merged.findings), /uneven-start/);
  });

  test('adds histograms up as the reduction does of instances, whose processes it reads one by one', async () => {
    await merge(...parts);
    const run = await runOf();
    const merged = await readJson(join(run, 'record.json'));
    const copy = join(folder, 'by-instance');
    cpSync(run, copy, { recursive: true });
    const round = join(copy, 'round-1');
    for (const name of ['summary.json', 'histograms.ndjson', 'services.ndjson']) rmSync(join(round, name));
    const said = await readJson(join(round, 'round.json'));
    writeFileSync(join(round, 'round.json'), JSON.stringify({ ...said, instances: 4 }));
    const instances = /** @type {any} */ (await reduceCase(copy));
    const measured = (/** @type {any} */ { metrics }) =>
      Object.fromEntries(
        Object.entries(metrics).filter(([name]) => !/^(generator|machine)|_rps|_per_second/.test(name)),
      );
    assert.deepEqual(measured(merged), measured(instances));
    assert.deepEqual(merged.distribution, instances.distribution);
    assert.deepEqual(merged.requests.wait.answers, instances.requests.wait.answers);
    assert.equal(merged.metrics.throughput_rps.count, instances.metrics.throughput_rps.count);
    assert.ok(merged.metrics.generator_cpu_ratio?.value > 0, 'of the machine that had the most to do');
  });

  test('takes a folder that holds those of all parts, and leaves a run that can be reported', async () => {
    const within = join(folder, 'fetched');
    for (const part of parts) cpSync(join(folder, part), join(within, part), { recursive: true });
    const merged = await merge('fetched', '--json');
    const again = await benchfolio(['report', '--format', 'json'], { cwd: folder });
    assert.deepEqual(JSON.parse(again.stdout).cases, JSON.parse(merged.stdout).cases);
    assert.equal(again.code, merged.code);
  });

  test('finds that machines did not begin together', async () => {
    const late = changed('late', parts[2], (said) => ({ ...said, started_ms: said.started_ms + 2500 }));
    const { stdout } = await merge(parts[0], parts[1], late, parts[3]);
    assert.match(stdout, /the load began [\d.]+ s apart/);
    assert.match(stdout, /^Inconclusive|^Invalid|invalid/m);
  });

  /**
   * A copy of a part that says something else.
   * @param {string} name
   * @param {string} part
   * @param {(said: any) => any} change
   * @returns {string}
   */
  function changed(name, part, change) {
    const to = join(folder, name);
    cpSync(join(folder, part), to, { recursive: true });
    const file = join(to, 'generator.json');
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
    return name;
  }

  /** @type {[string, () => string[], RegExp][]} */
  const refused = [
    [
      'a part is missing',
      () => [parts[0], parts[2]],
      /round 1 is not whole: of 4 parts these are missing: 2, 4\nName the folders/,
    ],
    [
      'a part is there twice',
      () => [...parts, parts[1]],
      /part 2 of round 1 is there twice: .*part-2 and .*part-2\nName each/,
    ],
    [
      'a part is of another archive',
      () => [
        ...parts.slice(0, 3),
        changed('other-archive', parts[3], (said) => ({ ...said, archive: '0'.repeat(64) })),
      ],
      /other-archive is of another load than .*part-1: the archive is 000000000000, not [0-9a-f]{12}\nAll parts/,
    ],
    [
      'a part is of another k6',
      () => [...parts.slice(0, 3), changed('other-k6', parts[3], (said) => ({ ...said, k6_version: '1.0' }))],
      /other-k6 is of another load than .*: k6 is 1\.0, not /,
    ],
    [
      'a part is of another cut',
      () => [...parts.slice(0, 3), changed('other-cut', parts[3], (said) => ({ ...said, part: { index: 4, of: 5 } }))],
      /other-cut is of another load than .*: the number of parts is 5, not 4/,
    ],
    [
      'a part has another seed',
      () => [...parts.slice(0, 3), changed('other-seed', parts[3], (said) => ({ ...said, seed: 'x' }))],
      /other-seed has another seed than/,
    ],
    [
      'a generator did not finish',
      () => {
        cpSync(join(folder, parts[3]), join(folder, 'unfinished'), { recursive: true });
        rmSync(join(folder, 'unfinished', 'generator.json'), { force: true });
        return [...parts.slice(0, 3), 'unfinished'];
      },
      /unfinished is not whole: there is no generator\.json/,
    ],
    [
      'a file is cut off',
      () => {
        const name = changed('cut-off', parts[3], (said) => said);
        writeFileSync(join(folder, name, 'histograms.ndjson'), '{}');
        return [...parts.slice(0, 3), name];
      },
      /cut-off\/histograms\.ndjson has 2 bytes, and had \d+\nCopy the folder again/,
    ],
    [
      'a file is gone',
      () => {
        const name = changed('gone', parts[3], (said) => said);
        rmSync(join(folder, name, 'summary.json'));
        return [...parts.slice(0, 3), name];
      },
      /gone\/summary\.json is missing/,
    ],
    [
      'generator.json is none',
      () => [...parts.slice(0, 3), changed('odd', parts[3], ({ part, ...said }) => said)],
      /odd\/generator\.json is not what a generator writes: .*part/,
    ],
    [
      'a folder has nothing in it',
      () => {
        mkdirSync(join(folder, 'empty'), { recursive: true });
        return ['empty'];
      },
      /empty has no results of a generator in it/,
    ],
    ['there is no folder', () => ['nowhere'], /there is no folder .*nowhere/],
  ];
  for (const [why, named, message] of refused) {
    test(`is refused where ${why}`, async () => {
      const { code, stdout, stderr } = await merge(...named());
      assert.equal(code, 2, stdout);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    });
  }
});

test('a script is merged as instances are', async () => {
  const server = await waitingServer();
  const folder = await suite(server.url);
  try {
    await benchfolio(['archive', 'shop', '--player', 'javascript', '--output', 'case.tar'], { cwd: folder });
    const parts = await playTogether(folder, 2);
    const { stdout } = await benchfolio(['merge', ...parts, '--json'], { cwd: folder });
    const [{ record: path }] = JSON.parse(stdout).cases;
    const record = await readJson(join(folder, path));
    assert.equal(record.metrics.throughput_rps.count, server.seen.length);
    assert.equal(server.seen.length, all);
    assert.ok(
      existsSync(join(await lastRun(folder), 'shop', 'there', 'wait', 'round-1', 'instance-2', 'timeline.ndjson')),
    );
  } finally {
    server.close();
  }
});
