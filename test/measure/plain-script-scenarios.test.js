// The scenarios of a k6 script as people have them: each is a case, and sees itself as k6 alone would show it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runScripts } from '../support/plain-script.js';

describe("a k6 script's own scenarios", { concurrency: 2 }, () => {
  test('its scenarios are cases of their own, each with its function, variables, tags and thresholds', async () => {
    const { code, recordOf, said } = await runScripts('mixed = { script = "mixed.js" }', {
      'specs/shop/mixed.js': `
import http from 'k6/http';
import { check } from 'k6';
const iterations = { executor: 'per-vu-iterations', vus: 1, maxDuration: '1m' };
export const options = {
  scenarios: {
    browse: { ...iterations, iterations: 30, exec: 'browse', tags: { kind: 'read' } },
    buy: { ...iterations, iterations: 20, exec: 'buy', startTime: '30s', env: { ITEM: '7' } },
  },
  thresholds: {
    'http_req_duration{scenario:browse}': ['max<50000'],
    'http_req_duration{kind:read}': ['max<60000'],
    'checks{scenario:buy}': ['rate==1'],
  },
};
export function browse() { http.get(__ENV.BASE_URL); }
export function buy() {
  check(http.post(\`\${__ENV.BASE_URL}/\${__ENV.ITEM}\`), { bought: ({ url }) => url.endsWith('/7') });
}
`,
    });
    assert.equal(code, 0, said);
    const [browse, buy] = [await recordOf('mixed,scenario=browse'), await recordOf('mixed,scenario=buy')];
    const judged = (/** @type {any} */ { thresholds }) =>
      thresholds.map((/** @type {any} */ { metric, selector, expr }) => [metric, selector, expr]);
    const cap = ['errors_ratio', {}, 'value<=0.01'];
    assert.deepEqual(judged(browse), [
      ['http_req_duration', { kind: 'read' }, 'max<60000'],
      ['http_req_duration', {}, 'max<50000'],
      cap,
    ]);
    assert.deepEqual(judged(buy), [['checks', {}, 'rate==1'], cap]);
    assert.deepEqual([browse.metrics.requests_rps.count, buy.metrics.requests_rps.count], [30, 20]);
    assert.deepEqual(buy.checks, { bought: { passes: 20, fails: 0 } });
  });

  test('it sees the name, the tag, the variables and the options of its own scenario', async () => {
    const { code, recordOf, said } = await runScripts(
      `by_name = { script = "by-name.js" }
one = { script = "one.js" }
short = { script = "short.js" }
slow = { script = "by-name.js", executor = "per-vu-iterations", vus = 1, iterations = 5 }`,
      {
        'specs/shop/by-name.js': `
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
const iterations = { executor: 'per-vu-iterations', vus: 1, maxDuration: '1m' };
export const options = { scenarios: {
  fast: { ...iterations, iterations: 10, env: { KIND: 'f' } },
  slow: { ...iterations, iterations: 20, env: { KIND: 's' } },
} };
const kinds = { fast: 'f', slow: 's' };
export default function () {
  const { name } = exec.scenario;
  const own = exec.test.options.scenarios[name];
  http.get(\`\${__ENV.BASE_URL}/\${name}\`, { tags: { name } });
  check(own, {
    [name]: () => true,
    'its own load': ({ iterations: all }) => all === { fast: 10, slow: exec.vu.metrics.tags.scenario === 'slow' && all === 5 ? 5 : 20 }[name],
    'its own tag': () => exec.vu.metrics.tags.scenario === name,
    'its own variables': () => __ENV.KIND === undefined || (__ENV.KIND === kinds[name] && own.env.KIND === kinds[name]),
  });
}
`,
        'specs/shop/one.js': `
import http from 'k6/http';
import exec from 'k6/execution';
export const options = { scenarios: { checkout: { executor: 'per-vu-iterations', vus: 1, iterations: 3 } } };
export default function () {
  if (exec.scenario.name !== 'checkout') throw new Error('who is ' + exec.scenario.name);
  http.get(__ENV.BASE_URL);
}
`,
        'specs/shop/short.js': `
import http from 'k6/http';
import exec from 'k6/execution';
export const options = { vus: 1, iterations: 3 };
export default function () {
  if (exec.scenario.name !== 'default') throw new Error('who is ' + exec.scenario.name);
  http.get(__ENV.BASE_URL);
}
`,
      },
    );
    assert.equal(code, 0, said);
    for (const [name, scenario, count] of /** @type {[string, string, number][]} */ ([
      ['by_name,scenario=fast', 'fast', 10],
      ['by_name,scenario=slow', 'slow', 20],
      ['slow', 'slow', 5],
    ])) {
      const record = await recordOf(name);
      assert.equal(record.checks[scenario].passes, count, name);
      assert.equal(record.metrics.requests_rps.count, count, name);
      assert.equal(record.metrics.errors_ratio.value, 0, JSON.stringify(record.checks));
    }
    assert.equal((await recordOf('one')).metrics.requests_rps.count, 3);
    assert.equal((await recordOf('short')).metrics.requests_rps.count, 3);
  });
});
