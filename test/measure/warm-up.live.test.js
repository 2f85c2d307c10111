// A service that takes long to get warm: before each block of a duet, both sides have as many iterations as it takes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { benchOf, scenario } from '../support/pool-service.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

/**
 * The later a request comes, the less CPU time it costs: after so many seconds (`cold`), half of what it costs more at first. It may end
 * in one of its starts.
 */
const server = `
const { appendFileSync, readFileSync } = require('node:fs');
const { cold = 1.2, ends = null, counter } = require('./settings.json');
if (counter) appendFileSync(counter, '.');
const starts = counter ? readFileSync(counter, 'utf8').length : 0;
let served = 0;
let began = NaN;
function work(ms) {
  const before = process.cpuUsage();
  const used = () => Object.values(process.cpuUsage(before)).reduce((user, system) => user + system);
  while (used() < 1000 * ms);
}
require('node:http').createServer((request, response) => {
  served += 1;
  if (starts === ends && served > 20) process.exit(7);
  if (served === 10) began = performance.now(); // the first are of no load
  const after_s = (performance.now() - began || 0) / 1000;
  work(0.2 + 12 / (1 + (after_s / cold) ** 2));
  response.end('ok'.repeat(99));
}).listen(process.env.PORT, '127.0.0.1');
`;

const bench = benchOf(1e-9)
  .replace('warmup = "200ms"\nduration = "1s"', 'duration = "3s"')
  .replace('blocks = 3', 'blocks = 2');

/** Counts starts: a file of each side's own. */
const newCounter = () => join(tmpdir(), `starts-${randomUUID()}`);

/**
 * @typedef {{ cold?: number, ends?: number, counter?: string }} Settings
 * @param {Settings} base
 * @param {Settings} head
 * @param {string} [environment]
 */
const repository = (base, head, environment = shop) =>
  repositoryOf(
    { 'bench.toml': bench, 'specs/shop/server.cjs': server, 'specs/shop/spec.toml': environment + scenario },
    ...[base, head].map((settings, n) => ({ 'specs/shop/settings.json': JSON.stringify({ ...settings, n }) })),
  );

/** @param {string} folder @param {any} json @param {string[]} path of the case */
const pathOf = (folder, json, ...path) => join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list', ...path);

/** @param {string} folder @param {any} json @param {string[]} path of the case */
const read = async (folder, json, ...path) => JSON.parse(await readFile(pathOf(folder, json, ...path), 'utf8'));

/** @param {any} json @param {string} id */
const found = (json, id) => json.cases[0].findings.filter((/** @type {any} */ finding) => finding.id === id);

const apart = shop.replace(
  '[environments.local]',
  '[environments.local]\nduet = { concurrent = false, reason = "one port" }',
);

describe('the warm-up of a duet', { concurrency: 2 }, () => {
  for (const [how, environment] of [
    ['at the same time', shop],
    ['one after the other', apart],
  ])
    test(`both sides, measured ${how}, are warmed up by as many iterations`, async () => {
      const folder = await repository({ cold: 1.2 }, { cold: 1.3 }, environment);
      const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
      assert.equal(code, 3, stdout + stderr);
      assert.match(stderr, /shop\/local\/list: finding out how many iterations warm both sides up/);
      const { case: warming } = await read(folder, json, 'warm-up', 'blocks', 'base', 'case.json');
      assert.ok(warming.load.iterations > 0, JSON.stringify(warming.load));
      for (const side of ['base', 'head'])
        for (const block of [1, 2]) {
          const round = await read(folder, json, 'warm-up', 'blocks', side, `round-${block}`, 'round.json');
          assert.equal(round.complete_iterations, warming.load.iterations, `${side}, block ${block}`);
        }
      assert.equal((await read(folder, json, 'head', 'record.json')).rounds, 2);
      assert.match(stderr, /(each block begins with [\d,]+ iterations of \d+ users?|still fell after)/);
      await assertNothingLeft(folder);
    });

  test('a head that ends in the warm-up of a block fails, and the block is measured without', async () => {
    // Started for the first block, to find out how many iterations it takes, and for the first block again.
    const folder = await repository({}, { ends: 3, counter: newCounter() });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.match(json.cases[0].reason, /^head fell over at saturation, .*app.* ended with exit code 7/);
    assert.ok(!existsSync(pathOf(folder, json, 'warm-up', 'blocks', 'head', 'round-1', 'round.json')));
    assert.equal((await read(folder, json, 'head', 'record.json')).rounds, 2);
    await assertNothingLeft(folder);
  });

  test('sides that both end before they are warm are compared as they are', async () => {
    const folder = await repository({ ends: 2, counter: newCounter() }, { ends: 2, counter: newCounter() });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const sides = found(json, 'fell-over').map((/** @type {any} */ { text }) => text.split(' ')[0]);
    assert.deepEqual(sides.sort(), ['base', 'head']);
    assert.ok(!existsSync(pathOf(folder, json, 'warm-up', 'blocks')));
    assert.equal((await read(folder, json, 'head', 'record.json')).rounds, 2);
    await assertNothingLeft(folder);
  });

  test('a service that is warm soon has no warm-up', async () => {
    const folder = await repository({ cold: 0.01 }, { cold: 0.01 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.ok(!existsSync(pathOf(folder, json, 'warm-up', 'found')));
    assert.doesNotMatch(stderr, /each block begins with/);
  });
});
