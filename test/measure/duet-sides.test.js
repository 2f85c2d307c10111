// What of two sides is measured, and by whose rule: nothing is run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairCases, withoutAlike } from '../../dist/run/duet/pair-cases.js';
import { compareSides } from '../../dist/run/duet/ruler/compare-sides.js';
import { withChangesOf } from '../../dist/run/duet/ruler/ruler.js';
import { asBaseSays } from '../../dist/run/duet/run-duet.js';
import { openSide } from '../../dist/run/duet/sides.js';
import { loadCases } from '../../dist/suite/check/check.js';
import { loadSuite } from '../../dist/suite/suite.js';
import { folderOf } from '../support/cli.js';

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "app.js"]
env = { PORT = "\${port}" }
[scenarios.s]
sweep = { rate = [100, 200] }
executor = "constant-arrival-rate"
rate = "\${rate}"
duration = "30s"
preAllocatedVUs = 60
requests = [{ get = "/" }]
`;

/** @param {Record<string, string>} files */
const suiteOf = (files) => folderOf({ 'bench.toml': '', 'specs/shop/spec.toml': spec, ...files });

/** @param {string} label @param {string} root */
const side = (label, root) => openSide({ label, root, url: null, commit: null, dirty: false, word: label });

/**
 * @param {Record<string, string>} files of head that differ from base's
 * @param {Record<string, string>} [own] base's
 */
async function sharedOf(files, own = {}) {
  const [one, other] = await Promise.all([suiteOf(own), suiteOf({ ...own, ...files })]);
  const [base, head] = [side('base', one), side('head', other)];
  const cases = loadCases(loadSuite(other), { systems: ['shop'], memory: Infinity, stream: process.stderr });
  const rule = await compareSides(base, head, { systems: ['shop'] }, loadSuite(other));
  const paired = pairCases(cases, { base, head, block: { warmup_s: 1, seconds: 4 }, lanes: rule.lanes });
  const { pairs, alike } = withoutAlike(paired, rule.rankOf);
  return { rule, cases, pairs, alike, changes: withChangesOf(alike, rule.changes, rule.accept) };
}

/** @param {string} from @param {string} to */
const changed = (from, to) => {
  assert.ok(spec.includes(from), from);
  return { 'specs/shop/spec.toml': spec.replace(from, to) };
};

test("of cases that differ only in load base's first is measured, however head sorts and adds to them", async () => {
  for (const values of ['[100, 200]', '[200, 100]', '[1, 100, 200]', '[1, 200, 100]']) {
    const { pairs, alike } = await sharedOf(changed('[100, 200]', values));
    assert.deepEqual(
      pairs.map(({ solo }) => solo.values.rate),
      [100],
      values,
    );
    assert.ok(alike.every(({ as }) => as.values.rate === 100));
  }
});

test('what head loosens of a case for which another stands is held against that one', async () => {
  const thresholds = '\n[scenarios.s.thresholds]\nhttp_req_duration = ["p(95)<${rate}"]\n';
  const own = { 'specs/shop/spec.toml': spec + thresholds };
  const head = { 'specs/shop/spec.toml': spec + thresholds.replace('p(95)<${rate}', 'p(95)<100') };
  const stricter = await sharedOf(head, own); // of 200 it is stricter
  assert.deepEqual(
    stricter.changes.filter(({ looser }) => looser),
    [],
  );
  const { pairs, changes } = await sharedOf(own, head);
  const [{ solo }] = pairs;
  const found = changes.filter(({ looser, case: name }) => looser && name === solo.name);
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['threshold http_req_duration p(95) at most'],
  );
});

test('a case of head alone does not make the budget of the others smaller', async () => {
  const more = `${spec}[scenarios.t]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/t" }]
compare = { alpha = 0.000001 }
`;
  const { rule, cases } = await sharedOf({ 'specs/shop/spec.toml': more });
  const alphas = cases.map((benchCase) => (rule.compareOf(benchCase) ?? benchCase.compare).alpha);
  assert.deepEqual(alphas, [0.01, 0.01, 0.01]);
});

test("what is measured where nothing is asked for is base's and head's, as far as head has it", async () => {
  const two = { 'specs/other/spec.toml': spec };
  const [one, other] = await Promise.all([
    suiteOf({ ...two, 'bench.toml': 'default = "shop"\n' }),
    suiteOf({ ...two, 'bench.toml': 'default = "other"\n' }),
  ]);
  const single = await folderOf({ 'bench.toml': '', ...two });
  const asked = (/** @type {string} */ base, /** @type {string} */ head, options = {}) =>
    asBaseSays({ base: 'base', ...options }, side('base', base), loadSuite(head));
  const player = 'native';
  assert.deepEqual(asked(one, other), { systems: ['shop', 'other'], player });
  assert.deepEqual(asked(one, single), { systems: ['other'], player });
  assert.deepEqual(asked(one, other, { systems: ['other'] }), { systems: ['other'], player });
  assert.deepEqual(asked(one, single, { changed: true }), { systems: [], player });
});

test("the player that sends the requests is base's, unless one is asked for", async () => {
  const [javascript, native] = await Promise.all([
    suiteOf({ 'bench.toml': '[run]\nplayer = "javascript"\n' }),
    suiteOf({}),
  ]);
  const player = (/** @type {string} */ base, /** @type {string} */ head, options = {}) =>
    asBaseSays({ base: 'base', ...options }, side('base', base), loadSuite(head)).player;
  assert.equal(player(native, javascript), 'native');
  assert.equal(player(javascript, native), 'javascript');
  assert.equal(player(javascript, native, { player: 'native' }), 'native');
});
