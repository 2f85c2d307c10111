// What plain k6 is asked for, and cannot do: one line that says what to do, before anything is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive, player, scenario } from '../support/k6/drive.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

const get = '[[scenarios.s.requests]]\nget = "/"\n';
/** The native player reads what requests need once k6 has its options: to k6, these are wrong then. */
const late = player === 'native' ? 104 : 107;

const BASE_URL = 'http://127.0.0.1:9';

/**
 * @param {string} spec
 * @param {RegExp} message
 * @param {Record<string, string>} [env]
 * @param {number} [expected] k6's exit code: 107, a script threw
 */
async function refuses(spec, message, env = { BASE_URL }, expected = 107) {
  const { code, log } = await drive({ spec, env });
  assert.equal(code, expected, log);
  assert.equal(log.split('\n').filter((line) => line.startsWith('benchfolio: ')).length, 1, log);
  assert.match(log, message);
  assert.doesNotMatch(log, /\tat |stack/);
}

test('a spec that is not there, or not TOML, or not right', async () => {
  const none = 'specs/none/spec.toml';
  await refuses(scenario(get), /^benchfolio: no spec: add -e SPEC=/m, { BASE_URL, SPEC: '' });
  await refuses(scenario(get), /: cannot open the spec specs\/none\/spec\.toml: .*no such/, { BASE_URL, SPEC: none });
  await refuses('title = ', /^benchfolio: .*spec\.toml: line 1, column \d+: not valid TOML: /m);
  const users = scenario(get, 'executor = "constant-users"');
  await refuses(users, /^benchfolio: .*scenarios\.s\.executor: there is no executor "constant-users"/m);
  await refuses(scenario('[[scenarios.s.requests]]\nget = "/${row.x}"'), /there are no rows for \$\{row\.x\}/);
});

test('a scenario, environment or profile that the spec does not have', async () => {
  const nowhere = 'executor = "per-vu-iterations"\nenvironments = []\n[[scenarios.t.requests]]\nget = "/"\n';
  const two = `${scenario(get)}[scenarios.t]\n${nowhere}`;
  await refuses(two, /^benchfolio: which scenario of .*Add -e SCENARIO=<name>: s, t/m);
  await refuses(two, /^benchfolio: there is no scenario "x" in .*: s, t/m, { BASE_URL, SCENARIO: 'x' });
  await refuses(two, /^benchfolio: scenario t runs in no environment/m, { BASE_URL, SCENARIO: 't' });
  await refuses(scenario(get), /there is no environment "x"\. Known: local\./, { BASE_URL, ENVIRONMENT: 'x' });
  await refuses(scenario(get), /there is no profile "x"/, { BASE_URL, PROFILE: 'x' });
  const todo = scenario(get, 'executor = "per-vu-iterations"\nstatus = "todo"\nreason = "no data yet"');
  await refuses(todo, /^benchfolio: scenario s is todo: no data yet$/m);
});

test('a parameter of the wrong type', async () => {
  const spec = scenario(get, 'executor = "per-vu-iterations"\niterations = "${n}"', 'parameters = { n = 1 }');
  await refuses(spec, /n is set to "many", and must be a number/, { BASE_URL, n: 'many' });
});

test('an address that only the runner knows, or that needs asking', async () => {
  const service = '[[environments.local.services]]\nname = "app"\ncommand = ["true", "${port}"]\n';
  const serviced = scenario(get).replace('1:1"', '1:${port}"').replace('[scenarios.s]', `${service}[scenarios.s]`);
  await refuses(serviced, /^benchfolio: environment local is at http:.*:\$\{port\}.*add -e BASE_URL=/m, {});
  const shared = scenario(get).replace('url = ', 'confirm = "staging is shared: ask first"\nurl = ');
  await refuses(shared, /^benchfolio: staging is shared: ask first\. If you may .*add -e BASE_URL=http:\S+:1$/m, {});
  const hosted = scenario(get).replace('http://127.0.0.1:1', 'http://${env.BENCHFOLIO_NONE}');
  await refuses(hosted, /^benchfolio: .*there is no \$\{env\.BENCHFOLIO_NONE\}/m, {});
  await refuses(scenario(get), /^benchfolio: "localhost:80" is not an http\(s\) URL/m, { BASE_URL: 'localhost:80' });
});

test('what else is missing: a secret, a body, the right entry, a part, a case', async () => {
  const secret = scenario(`${get}headers = { A = "\${env.BENCHFOLIO_NONE}" }`);
  await refuses(secret, /^benchfolio: .*the environment variable BENCHFOLIO_NONE is not set$/m, undefined, late);
  const file = scenario('[[scenarios.s.requests]]\npost = "/"\nbody = { file = "none.bin" }');
  await refuses(file, /^benchfolio: .*\bopen .*none\.bin/m, undefined, late);
  const script = scenario('script = "order.js"');
  await refuses(script, /^benchfolio: scenario s is a script: run .*order\.js in place of k6\/(main|native)\.js/m);
  const inThree = (/** @type {Case} */ benchCase) => ({ ...benchCase, parts: 3 });
  for (const PART of ['0', '4', 'x']) {
    const { log } = await drive({ spec: scenario(get), env: { BASE_URL, PART }, change: inThree });
    assert.match(log, new RegExp(`^benchfolio: PART is "${PART}", and must be which of the 3 parts`, 'm'));
  }
  const env = { BASE_URL, CASE: new URL('../../README.md', import.meta.url).pathname };
  await refuses(scenario(get), /^benchfolio: .*README\.md is not a case\.json: SyntaxError/m, env);
});

test('an environment whose URL needs no port is used, and a sweep begins with its first value', async () => {
  const swept = scenario(get, 'executor = "per-vu-iterations"\niterations = "${n}"\nsweep = { n = [2, 5] }');
  const first = await drive({ spec: swept, env: {} });
  assert.match(first.log, /^benchfolio: s is swept; of its 2 cases this is the first, by -e n=2$/m);
  assert.equal(first.metrics.iterations.values.count, 2);
  assert.match(first.log, /^benchfolio: GET \/: .*refused/m); // it went to the environment's own port 1
  const chosen = await drive({ spec: swept, env: { BASE_URL, n: '3' } });
  assert.equal(chosen.metrics.iterations.values.count, 3);
  assert.doesNotMatch(chosen.log, /swept/);
});
