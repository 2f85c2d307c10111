// A round that did not count, for what other programs did, is measured again. A module in place of ours says which are, so that
// nothing here depends on how busy this machine is.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isBeyondSystem } from '../../dist/run/measure/disturbed-round.js';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { shopFiles } from '../support/shop.js';
import { lastRun, readJson } from '../support/situations.js';

const scenario = `[scenarios.home]
executor = "constant-vus"
vus = 1
duration = "1s"
[[scenarios.home.requests]]
get = "/"
think = "20ms"
`;

/** @param {string} disturbed jq: does it not count, of what findings are made of? */
const keepingUp = (disturbed) => `
def others: 0.9;
def behind: ${disturbed};
def fits_alone: true;
def others_to_blame: true;
def had_room: true;
def how: "k6 was kept waiting";
def limit: "10 ms";
`;

/** @param {string} disturbed */
async function run(disturbed) {
  const folder = await folderOf(shopFiles(scenario));
  const { code, stderr, stdout } = await spawnBenchfolio(['run', '--rounds', '2'], {
    cwd: folder,
    env: { KEEPING_UP: keepingUp(disturbed) },
  });
  const place = join(await lastRun(folder), 'shop/local/home');
  const record = await readJson(join(place, 'record.json'));
  const folders = readdirSync(place).filter((name) => /round-/.test(name));
  return { code, stderr, stdout, record, folders: folders.sort() };
}

test('each round that is disturbed the first time is measured again, and the record says so', async () => {
  const { code, stderr, stdout, record, folders } = await run('[.asked[][0].end.repeated // [] | length] | add == 0');
  assert.equal(code, 0, stdout + stderr);
  assert.match(stderr, /round 1 is measured again: Other programs kept 90 % .* busy[^:]*: k6 was kept waiting\./);
  assert.deepEqual(folders, ['disturbed-1-round-1', 'disturbed-1-round-2', 'round-1', 'round-2']);
  assert.deepEqual([record.rounds, record.metrics.throughput_rps.samples.length, record.verdict], [2, 2, 'pass']);
  const { level, text } = record.findings.find((/** @type {any} */ { id }) => id === 'repeated-rounds');
  assert.equal(level, 'info');
  assert.match(text, /^2 rounds did not count and were measured again\. Round 1: Other programs kept 90 %/);
});

/**
 * A round of which nothing counts, on two cores.
 * @param {string[]} findings
 * @param {(number | null)[]} [cpu_ratio] cores that the service used, second by second
 * @returns {any}
 */
const roundOf = (findings, cpu_ratio = [0.4, 0.5]) => ({
  findings: findings.map((id) => ({ id, level: 'error', text: id })),
  timeline: { t: cpu_ratio.map((_, i) => i + 1), services: { app: { cpu_ratio } } },
  metrics: { generator_cpu_ratio_mean: { value: 0.3 } },
  fingerprint: { cores: 2 },
});

test('a round that the system may have disturbed itself counts', () => {
  const service = /** @type {any} */ ({ name: 'app', sampled: true });
  const own = { external: [], services: [service], window: { from_s: 0, to_s: null } };
  for (const others of ['disturbed', 'generator-delayed']) assert.ok(isBeyondSystem(roundOf([others]), own), others);
  // The load was not reached: a slow service looks like that.
  assert.ok(!isBeyondSystem(roundOf(['disturbed', 'saturated']), own));
  assert.ok(!isBeyondSystem(roundOf(['disturbed', 'unfinished']), own));
  // A part of the system runs elsewhere on this machine, and looks like one of the other programs.
  assert.ok(!isBeyondSystem(roundOf(['disturbed']), { ...own, external: ['http://127.0.0.1:5432'] }));
  assert.ok(!isBeyondSystem(roundOf(['generator-delayed']), { ...own, services: [{ ...service, sampled: false }] }));
  // Its services took both cores for a second, which k6 waited for; before the window they may.
  const burst = roundOf(['generator-delayed'], [0.4, 1.9, null]);
  assert.ok(!isBeyondSystem(burst, own));
  assert.ok(
    isBeyondSystem(roundOf(['generator-delayed'], [1.9, 0.4, null]), { ...own, window: { from_s: 1, to_s: null } }),
  );
  assert.ok(!isBeyondSystem(roundOf(['generator-delayed'], [null, null]), own), 'what they took is not known');
});

test('after three it takes what there is, and says that nothing counts', async () => {
  const { code, stderr, stdout, record, folders } = await run('true');
  assert.equal(code, 3, stdout + stderr);
  assert.deepEqual(folders, [
    'disturbed-1-round-1',
    'disturbed-2-round-1',
    'disturbed-3-round-1',
    'round-1',
    'round-2',
  ]);
  assert.equal(record.verdict, 'invalid');
  assert.match(
    record.findings.find((/** @type {any} */ { id }) => id === 'repeated-rounds').text,
    /^3 rounds did not count and were measured again\./,
  );
});
