// What other tools read of a record: HdrHistogram's own reader, and OpenMetrics by its grammar.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { exportFormats } from '../../dist/records/export/export-formats.js';
import { encoded } from '../../dist/records/export/hdr-histogram.js';
import { stepsOf } from '../../dist/records/export/steps.js';
import { benchfolio, folderOf, root } from '../support/cli.js';
import { recordOf } from '../support/raw.js';

const chosen = { seed: 73, numRuns: 300 };

/** @type {fc.Arbitrary<any>} a record's distribution */
const distributions = fc
  .record({
    count: fc.integer({ min: 1, max: 1e7 }),
    p: fc.uniqueArray(fc.double({ min: 0.01, max: 99.99, noNaN: true }), { maxLength: 99 }),
    values: fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 101, maxLength: 101 }),
  })
  .map(({ count, p, values }) => {
    const percents = [0, ...p.map((percent) => Number(percent.toFixed(3))).sort((a, b) => a - b), 100];
    const sorted = values.slice(0, percents.length).sort((a, b) => a - b);
    return { metric: 'latency_ms', count, p: percents, values: sorted, min: sorted[0], max: sorted.at(-1), error: 0 };
  });

test('the quantiles of a record are those of its steps, and no request is lost', () => {
  fc.assert(
    fc.property(distributions, (distribution) => {
      const steps = stepsOf(distribution);
      assert.equal(
        steps.reduce((sum, { count }) => sum + count, 0),
        distribution.count,
      );
      assert.ok(steps.every(({ ms, count }, i) => count > 0 && (i === 0 || ms > steps[i - 1].ms)));
      assert.equal(steps.at(-1)?.ms, distribution.max);
      if (distribution.count > 1) assert.equal(steps[0].ms, distribution.min);
    }),
    chosen,
  );
});

test("HdrHistogram's own reader finds the same quantiles, to its three digits", () => {
  fc.assert(
    fc.property(distributions, (distribution) => {
      const steps = stepsOf(distribution).map(({ ms, count }) => ({ value: Math.max(1, Math.round(ms * 1e6)), count }));
      const read = decodeFromCompressedBase64(encoded(steps), 64);
      assert.equal(read.totalCount, distribution.count);
      for (const [i, percent] of distribution.p.entries()) {
        const least = steps.reduce(
          (found, { value, count }) => ({ left: found.left - count, value: found.left > 0 ? value : found.value }),
          { left: Math.max(1, Math.ceil((percent / 100) * distribution.count)), value: 0 },
        ).value;
        const ratio = read.getValueAtPercentile(percent) / least;
        assert.ok(Math.abs(ratio - 1) <= 0.001, `p${percent} (${i}): ${ratio}`);
      }
    }),
    { ...chosen, numRuns: 100 },
  );
});

test('values at the edges of buckets stay where they are', () => {
  for (const value of [1, 1023, 1024, 2047, 2048, 2 ** 21 - 1, 2 ** 21, 2 ** 40 - 1, 2 ** 40, 2 ** 52 + 1]) {
    const read = decodeFromCompressedBase64(encoded([{ value, count: 3 }]), 64);
    assert.equal(read.totalCount, 3);
    assert.ok(Math.abs(read.maxValue / value - 1) <= 0.001, `${value}: ${read.maxValue}`);
    assert.ok(Math.abs(read.minNonZeroValue / value - 1) <= 0.001, `${value}: ${read.minNonZeroValue}`);
  }
});

test("OpenMetrics has a record's quantiles as buckets, its mean as sum, and labels that are escaped", () => {
  const record = { ...recordOf('ok'), system: 'a "shop" \\', version: null };
  const text = exportFormats.openmetrics([/** @type {any} */ (record)]);
  assert.match(
    text,
    /^# HELP .*\n# TYPE benchfolio_latency_seconds histogram\n# UNIT benchfolio_latency_seconds seconds\n/,
  );
  assert.match(text, /\n# EOF\n$/);
  const samples = [...text.matchAll(/^benchfolio_latency_seconds_(\w+)\{(.*)\} (\S+) ([\d.]+)$/gm)];
  assert.equal(samples.length, text.split('\n').length - 5);
  assert.ok(samples.every(([, , labels]) => labels.startsWith('system="a \\"shop\\" \\\\",environment="')));
  const buckets = samples
    .filter(([, kind]) => kind === 'bucket')
    .map(([, , labels, count]) => [
      Number(/le="([^"]+)"$/.exec(labels)?.[1].replace('+Inf', 'Infinity')),
      Number(count),
    ]);
  assert.ok(buckets.every(([le, count], i) => i === 0 || (le > buckets[i - 1][0] && count >= buckets[i - 1][1])));
  const { p, values, count, max } = /** @type {any} */ (record.distribution);
  const ranks = p.map((/** @type {number} */ percent) => Math.max(1, Math.ceil((percent / 100) * count - 1e-6)));
  assert.ok(new Set(ranks).size > 50);
  for (const [i, rank] of ranks.entries()) {
    const [le] = buckets.find(([, sum]) => sum >= rank) ?? [];
    const expected = rank === count ? max : rank === 1 ? values[0] : values[ranks.lastIndexOf(rank)];
    assert.ok(Math.abs(Number(le) * 1000 - expected) <= 1e-6 * expected, `p${p[i]}`);
  }
  const of = (/** @type {string} */ kind) => Number(samples.find(([, name]) => name === kind)?.[3]);
  assert.equal(of('count'), count);
  assert.ok(Math.abs((of('sum') / count) * 1000 - Number(record.metrics.latency_ms_mean.value)) < 1e-4);
});

test('export writes the records of a version; those whose latencies do not count are named', async () => {
  const cwd = root;
  const { code, stdout, stderr } = await benchfolio(['export', '2026-11', 'express'], { cwd });
  assert.equal(code, 0, stderr);
  const lines = stdout.split('\n').filter((line) => line.startsWith('Tag=express/'));
  assert.equal(lines.length, 58);
  assert.equal(stderr.match(/^Left out: express .*: its latencies do not count \(saturated\)$/gm)?.length, 13);
  const starts = lines.map((line) => Number(line.split(',')[1]));
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
  );
  const record = JSON.parse(
    readFileSync(join(root, 'reports/versions/2026-11/express/single/hello,rate=1000.json'), 'utf8'),
  );
  const line = lines.find((one) => one.startsWith('Tag=express/single/hello;rate=1000,')) ?? '';
  const read = decodeFromCompressedBase64(line.split(',')[4], 64);
  assert.ok(Math.abs(read.getValueAtPercentile(95) / 1e6 / record.metrics.latency_ms_p95.value - 1) < 0.002);
});

test('export says what is missing, and writes a file whole', async () => {
  const cwd = await folderOf({
    'record.json': JSON.stringify(recordOf('dead')),
    'ok.json': JSON.stringify(recordOf('ok')),
  });
  const dead = await benchfolio(['export', 'record.json'], { cwd });
  assert.equal(dead.code, 2);
  assert.match(dead.stderr, /there are no latencies to export in record\.json\n.*(do not count|nothing was observed)/);
  const written = await benchfolio(['export', 'ok.json', '--format', 'openmetrics', '--output', 'a.txt'], { cwd });
  assert.equal(written.code, 0, written.stderr);
  assert.equal(written.stdout, '');
  assert.match(readFileSync(join(cwd, 'a.txt'), 'utf8'), /# EOF\n$/);
  assert.equal((await benchfolio(['export', 'nothing.json'], { cwd })).code, 2);
  assert.equal((await benchfolio(['export', 'ok.json', 'shop'], { cwd })).code, 2);
});
