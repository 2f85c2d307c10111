// A scenario's own script: an ordinary k6 script that imports one helper.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { drive, errorsOf, root, scenario, steady } from '../support/k6/drive.js';
import { startTarget } from '../support/k6/target.js';

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target;
before(async () => {
  target = await startTarget();
});
after(() => target.close());
beforeEach(() => {
  target.seen.length = 0;
});

const helper = `import { bench } from '${join(root, 'k6', 'script.js')}';
export const { options, handleSummary } = bench;
`;

/** @param {string} script @param {string} load @param {string} [top] @param {Record<string, string>} [files] */
const send = (script, load, top, files) =>
  drive({
    spec: scenario('', `script = "order.js"\n${load}`, top),
    files: { ...files, 'order.js': helper + script },
    entry: 'order.js',
    env: { BASE_URL: target.url },
  });

test("options, parameters, rows, setup, requests by the spec's keys and k6's own, in the window", async () => {
  const rows = 'item,urgent\nchair,yes\nlamp,no\n';
  const driven = await send(
    `
    import http from 'k6/http';
    const make = bench.request({
      post: '/things', name: 'make', headers: { 'x-size': '\${size}' }, body: { json: { item: '\${row.item}' } },
      expect: { json: { id: 7 } }, capture: { id: { json: 'id' } },
    });
    const read = bench.request({ get: '/made/\${captured.id}' });
    export const setup = () => ({ greeting: 'hi' });
    export default bench.iteration(({ row, captured }, { greeting }) => {
      if (captured.id !== undefined) throw new Error('captured in an iteration before');
      const { status, body } = make();
      if (status === 200 && row.urgent === 'yes') read();
      const query = [greeting, captured.id, bench.parameters.size].join('-');
      http.get(bench.baseUrl + '/own?' + query, { tags: { name: 'own' } });
      http.get(bench.baseUrl + '/unnamed');
    });
  `,
    `executor = "constant-arrival-rate"
rate = 20
duration = "2s"
preAllocatedVUs = 3
window = { from = "1s" }
rows = { file = "items.csv" }
[scenarios.s.thresholds]
"http_req_failed{name:own}" = "rate<0.5"
"http_reqs{name:${target.url}/unnamed}" = "count>0"`,
    'parameters = { size = 3 }',
    { 'items.csv': rows },
  );
  assert.equal(driven.code, 0, driven.log);
  assert.deepEqual(errorsOf(driven), {});
  const [made, read, own] = ['/things', '/made/7', '/own'].map(target.of);
  assert.equal(made.length, own.length);
  assert.ok(Math.abs(made.length - 2 * read.length) <= 1, `${made.length} ${read.length}`);
  const different = new Set(made.map(({ headers, body }) => `${headers['x-size']} ${body}`));
  assert.deepEqual([...different].sort(), ['3 {"item":"chair"}', '3 {"item":"lamp"}']);
  assert.ok(own.every(({ query }) => query === 'hi-7-3'));
  const counted = steady(driven, 'iterations', 'count'); // 20, on an idle machine
  assert.ok(counted > 8 && counted <= 21, String(counted));
  assert.equal(steady(driven, 'http_req_duration', 'count', 'name:make'), steady(driven, 'iterations', 'count'));
  assert.equal(steady(driven, 'http_req_failed', 'fails', 'name:own'), steady(driven, 'iterations', 'count'));
  assert.ok(steady(driven, 'http_req_duration', 'count', 'name:GET /made/${captured.id}') > 2);
});

test('errors are the same four numbers, and an iteration can be ended', async () => {
  const driven = await send(
    `
    import http from 'k6/http';
    const lost = bench.request({ post: '/drop' });
    const broken = bench.request({ get: '/status/500' });
    const needed = bench.request({ get: '/text', capture: { id: { json: 'id' } } });
    export default bench.iteration(() => {
      if (lost().status !== 0) throw new Error('a response was not expected');
      if (broken().status !== 500) throw new Error('the response was expected');
      const own = http.get(bench.baseUrl + '/text', { tags: { name: 'own' } });
      const good = bench.expect(own) && bench.expect(own, own.body === 'ok') && bench.expect(own, { status: 200 });
      if (!good) throw new Error('as expected');
      bench.expect(own, own.body === 'no', 'the text');
      bench.expect(own, { status: 201 });
      if (__ITER === 0) bench.abandon();
      if (__ITER === 1) needed();
      if (__ITER === 2) throw new Error('on purpose');
      if (__ITER === 3) null.x;
    });
  `,
    'executor = "per-vu-iterations"\nvus = 2\niterations = 5',
  );
  assert.deepEqual(errorsOf(driven), {
    network_errors: 10,
    status_errors: 20,
    failed_expectations: 12,
    exceptions: 4,
    abandoned: 4,
  });
  assert.equal(steady(driven, 'bench_network_errors', 'count', 'name:POST /drop'), 10);
  assert.equal(target.of('/text').length, 12);
  assert.match(driven.log, /^benchfolio: an iteration threw: Error: on purpose/m);
  assert.doesNotMatch(driven.log, /as expected|was not expected|was expected/);
});

test('an async iteration is waited for, and its exception counted', async () => {
  const driven = await send(
    `
    import http from 'k6/http';
    export default bench.iteration(async () => {
      const response = await http.asyncRequest('GET', bench.baseUrl + '/text', null, { tags: { name: 'own' } });
      bench.expect(response, { status: 404 });
      if (__ITER === 1) throw new Error('later');
      if (__ITER === 2) bench.abandon();
    });
  `,
    'executor = "per-vu-iterations"\niterations = 4',
  );
  assert.equal(target.of('/text').length, 4);
  assert.deepEqual(errorsOf(driven), { status_errors: 4, exceptions: 1, abandoned: 1 });
});

test('a request that the spec would not take is refused', async () => {
  const refused = async (/** @type {string} */ request) => {
    const script = `const r = bench.request(${request}); export default bench.iteration(() => r());`;
    return (await send(script, 'executor = "per-vu-iterations"')).log;
  };
  assert.match(await refused('{ get: "/", expects: {} }'), /^benchfolio: bench\.request\(.*expects/m);
  assert.match(await refused('{ get: "/", post: "/" }'), /^benchfolio: bench\.request\(.*two methods/m);
  assert.match(await refused('{ get: "/${size}" }'), /^benchfolio: bench\.request\(.*there is no \$\{size\}/m);
  assert.equal(target.seen.length, 0);
});
