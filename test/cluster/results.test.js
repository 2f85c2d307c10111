import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unpackResults } from '../../dist/run/cluster/pod-results.js';
import { frameReader } from '../../dist/run/cluster/results-frame.js';
import { scratchFolder } from '../support/scratch.js';

/** @param {Record<string, string | Buffer>} files @returns {Buffer} */
function tarOf(files) {
  const folder = scratchFolder('results');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return execFileSync('tar', ['-C', folder, '-c', '.'], { maxBuffer: 1e8 });
}

/** As `generate --print-results` prints it. @param {Buffer} data @param {{ sha256?: string, cut?: number }} [wrong] */
function linesOf(data, { sha256, cut = 0 } = {}) {
  const packed = gzipSync(data);
  const sum = sha256 ?? createHash('sha256').update(packed).digest('hex');
  const text = packed.toString('base64');
  const pieces = text.slice(0, text.length - cut).match(/.{1,8000}/g) ?? [];
  return [
    `benchfolio-results 2 ${packed.length} ${sum}`,
    ...pieces.map((piece) => `|${piece}`),
    'benchfolio-results-end',
  ];
}

/** @param {string[]} lines */
function framed(lines) {
  const reader = frameReader();
  for (const line of lines) reader.read(line);
  return reader.frame();
}

const generator = {
  part: { index: 1, of: 2 },
  started_ms: 1000,
  k6_exit: 0,
  definition: 'sha256:1',
  complete_iterations: 5,
  interrupted_iterations: 1,
  machine: { cores: 2 },
};
const whole = { 'generator.json': JSON.stringify(generator), 'summary.json': '{}', 'k6.log': 'a geheim\n' };

describe('results in a log', () => {
  it('arrive as they were sent, among lines of progress', () => {
    const data = randomBytes(100_000);
    const reader = frameReader();
    const lines = ['running (01.0s), 0/5 VUs, 2 complete and 0 interrupted iterations', ...linesOf(data)];
    assert.deepEqual([lines[0], ...lines.slice(1)].map(reader.read), [false, ...lines.slice(1).map(() => true)]);
    assert.ok(reader.frame().data?.equals(data));
  });
  it('arrive whole where a line of standard error lies among them', () => {
    const data = randomBytes(20_000);
    const lines = linesOf(data).flatMap((line) => [line, 'part 1 of 4: results']);
    assert.ok(framed(lines).data?.equals(data));
    const reader = frameReader();
    assert.deepEqual(
      lines.filter((line) => !reader.read(line)),
      lines.filter((_, i) => i % 2 === 1),
      'for people',
    );
  });
  it('are refused where a part is missing or damaged', () => {
    const data = randomBytes(1000);
    assert.match(String(framed(linesOf(data, { cut: 8 })).problem), /of its results 10\d+ of 10\d+ bytes arrived/);
    assert.equal(framed(linesOf(data, { sha256: '0'.repeat(64) })).problem, 'its results are damaged');
    assert.equal(framed(linesOf(data).slice(0, -1)).state, 'begun');
  });
  it('may be none, with the reason', () =>
    assert.equal(framed(['x', 'benchfolio-failed {"reason":"no such file"}']).failure, 'no such file'));
});

describe('the results of a pod', () => {
  const caseFile = join(scratchFolder('case'), 'case.json');
  writeFileSync(caseFile, '{"definition":"sha256:1"}');
  const measured = /** @type {any} */ ({ file: caseFile, benchCase: { instances: 2, url: 'http://x/${env.TOKEN}' } });
  const run = { env: { TOKEN: 'geheim' }, secrets: [] };
  const unpack = (/** @type {Record<string, string>} */ files, index = 0) => {
    const folder = scratchFolder('pod');
    const of = { pod: 'x-0', frame: () => framed(linesOf(tarOf(files))) };
    return { folder, ...unpackResults(of, { folder, index, measured }, run) };
  };
  it('are its files, without secrets', () => {
    const { folder, iterations, started_ms } = unpack({ ...whole, 'odd.txt': 'x' });
    assert.deepEqual([iterations, started_ms], [{ complete: 5, interrupted: 1 }, 1000]);
    assert.ok(!readFileSync(join(folder, 'k6.log'), 'utf8').includes('geheim'));
    assert.throws(() => readFileSync(join(folder, 'odd.txt')));
  });
  it('are refused where they are not all of its part', () => {
    const { 'summary.json': _, ...lacking } = whole;
    assert.throws(() => unpack(lacking), /pod x-0: k6 left no summary/);
    assert.throws(() => unpack(whole, 1), /pod x-0: it has part 1\/2, and was to have 2\/2/);
    assert.throws(() => unpack({ 'summary.json': '{}' }), /pod x-0: it did not finish/);
    const another = { ...whole, 'generator.json': JSON.stringify({ ...generator, definition: 'sha256:2' }) };
    assert.throws(() => unpack(another), /pod x-0: its results are of another case/);
    const crashed = { ...whole, 'generator.json': JSON.stringify({ ...generator, k6_exit: 109 }) };
    assert.throws(() => unpack(crashed), /pod x-0: k6 ended with exit code 109: k6 itself crashed/);
  });
});
