// What a script checks (k6's `check`) is what it expects: a failed one is an error, by name, and never a pass.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';
import { lastRun, readJson } from '../support/situations.js';

const server = (/** @type {string} */ title) =>
  `require('node:http').createServer((request, response) => response.end('<title>${title}</title>')).listen(process.env.PORT, '127.0.0.1');`;

const script = `
import http from 'k6/http';
import { check, group } from 'k6';
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
export default bench.iteration(() => {
  group('browse', () => {
    const response = http.get(bench.baseUrl + '/', { tags: { name: 'home' } });
    check(response, {
      'status is 200': ({ status }) => status === 200,
      'is the shop': ({ body }) => body.includes('Shop'),
    });
  });
});
`;

const scenario = `[scenarios.journey]
script = "journey.js"
executor = "shared-iterations"
vus = 2
iterations = 60
smoke = false
`;

/** @param {string} title that the service answers with @param {string} [more] lines of the scenario @param {string} [text] the script */
const files = (title, more = '', text = script) => ({
  'bench.toml': '[run]\nrounds = 2\n[duet]\nload = false\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\n',
  'specs/shop/spec.toml': shop + scenario + more,
  'specs/shop/server.cjs': server(title),
  'specs/shop/journey.js': text,
});

/** @param {Record<string, string>} given */
async function run(given) {
  const cwd = await folderOf(given);
  const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd });
  const record = await readJson(join(await lastRun(cwd), 'shop/local/journey/record.json'));
  return { code, stdout, stderr, record };
}

describe('checks of a script', { concurrency: 2 }, () => {
  test('one that fails everywhere fails the case, by name', async () => {
    const { code, stdout, stderr, record } = await run(files('Sorry'));
    assert.equal(code, 1, stdout + stderr);
    assert.equal(record.verdict, 'fail');
    assert.deepEqual(record.checks, {
      'browse > is the shop': { passes: 0, fails: 120 },
      'browse > status is 200': { passes: 120, fails: 0 },
    });
    assert.equal(record.metrics.errors_ratio.value, 1);
    assert.equal(record.metrics.expectation_errors_ratio.value, 1);
    const missed = record.thresholds.filter((/** @type {any} */ { outcome }) => outcome === 'missed');
    assert.deepEqual(
      missed.map((/** @type {any} */ { metric, expr, observed }) => [metric, expr, observed]),
      [
        ['checks', 'rate>=0.99', 0.5],
        ['errors_ratio', 'value<=0.01', 1],
      ],
    );
    assert.match(stdout, /Checks failed: browse > is the shop: 120 of 120\./);
  });

  test('those that pass say nothing, and none are not missed', async () => {
    const passed = await run(files('Shop'));
    assert.equal(passed.code, 0, passed.stdout + passed.stderr);
    assert.equal(passed.record.metrics.errors_ratio.value, 0);
    assert.doesNotMatch(passed.stdout, /Checks failed/);
    const without = await run(files('Sorry', '', script.replace(/check\(response, \{[\s\S]*?\}\);/, '')));
    assert.equal(without.code, 0, without.stdout + without.stderr);
    assert.deepEqual([without.record.checks, without.record.thresholds.length], [undefined, 1]);
  });

  test('a spec can ignore them, or say how many may fail', async () => {
    const ignored = await run(files('Sorry', 'checks = "ignore"\n'));
    assert.equal(ignored.code, 0, ignored.stdout + ignored.stderr);
    assert.equal(ignored.record.metrics.errors_ratio.value, 0);
    const both = await run(files('Sorry', 'checks = "ignore"\nthresholds = { checks = "rate>0.4" }\n'));
    assert.equal(both.code, 0, both.stdout + both.stderr);
    assert.equal(both.record.metrics.errors_ratio.value, 0);
    const own = await run(files('Sorry', 'error_cap = 1\nthresholds = { checks = "rate>0.4" }\n'));
    assert.equal(own.code, 0, own.stdout + own.stderr);
    assert.match(own.stdout, /met +journey +checks rate>0\.4/);
  });

  test('a head whose checks fail has failed', async () => {
    const usual = files('Shop');
    const folder = await repositoryOf(usual, { note: 'a' }, { 'specs/shop/server.cjs': server('Sorry') });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.match(json.cases[0].reason, /^100 % of the requests failed/);
    const texts = json.cases[0].findings.map((/** @type {any} */ { text }) => text).join('\n');
    assert.match(
      texts,
      /Checks failed: browse > is the shop: [\d,]+ of [\d,]+ \(both sides together, warm-up included\)/,
    );
  });
});
