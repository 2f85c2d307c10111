// What the native player does at its time: phases, rates, interrupts, faults.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, get, jqOf, play, server, specOf, steady } from './play.js';

/** @import { AddressInfo } from 'node:net' */

test('phases are told apart, and the timeline is one that the reduction reads', async () => {
  const { metrics, file, code, log } = await play(specOf(steady, get('/slow/50') + get('/a')));
  assert.equal(code, 0, log);
  const count = metrics['http_req_duration{phase:steady}'].values.count;
  assert.ok(count > 60 && count < 130, `${count} requests in the window`);
  assert.equal(metrics['http_req_duration{phase:steady,name:GET /a}'].values.count * 2, count);
  assert.ok(metrics.bench_begun_after.values.count > 0);
  const rows = jqOf(
    'import "lib/reduce/histograms" as h; [foreach inputs as $line ({}; h::step($line); .out | values | select(.total | not))]',
    file('histograms.ndjson'),
  );
  const all = rows.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.requests, 0);
  assert.equal(all, metrics.http_reqs.values.count);
  assert.deepEqual(Object.keys(rows[0].by_name).sort(), ['GET /a', 'GET /slow/50']);
  assert.ok(rows[0].users === 3 && rows[0].p50 > 0 && rows[0].max >= rows[0].p99);
});

test('a summary has the quantiles of a record, and two latencies of an arrival rate', async () => {
  const load = 'executor = "constant-arrival-rate"\nrate = 200\nduration = "1s"\npreAllocatedVUs = 4';
  const { metrics } = await play(specOf(load, get('/slow/40')));
  const { values } = metrics['http_req_duration{phase:steady}'];
  assert.equal(Object.keys(values).filter((key) => key.startsWith('p(')).length, 101);
  assert.ok(values['p(0)'] <= values.med && values.med <= values['p(99)'] && values['p(100)'] === values.max);
  const intended = metrics.bench_intended_duration.values;
  const { count: dropped } = metrics.dropped_iterations.values;
  assert.equal(intended.count, values.count + dropped, 'what was dropped is not left out');
  assert.ok(intended.max > 3 * values.med, `${intended.max} ms: half of what is due waits`);
  assert.ok(metrics.bench_lateness.values.count === values.count);
});

test('an interrupt ends the load, and what was counted is kept', async () => {
  const { code, metrics, file } = await play(
    specOf('executor = "constant-vus"\nvus = 3\nduration = "20s"', get('/slow/100')),
    { interrupt: 2500 },
  );
  assert.equal(code, 105);
  assert.ok(metrics['http_req_duration{phase:steady}'].values.count > 10);
  assert.ok(readFileSync(file('histograms.ndjson'), 'utf8').includes('"total":true'));
});

test('processes that share a load share its rows and its rate', async () => {
  writeFileSync(join(folder, 'r.csv'), 'id\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
  const before = server.seen.length;
  const load = 'executor = "shared-iterations"\nvus = 4\niterations = 10\nrows = { file = "r.csv" }';
  for (const segment of ['0:1/2', '1/2:1']) {
    await play(specOf(load, get('/seg/${row.id}')), {
      args: ['--execution-segment', segment, '--execution-segment-sequence', '0,1/2,1'],
    });
  }
  assert.deepEqual(
    server.seen
      .slice(before)
      .map(({ target }) => target)
      .sort(),
    Array.from({ length: 10 }, (_, i) => `/seg/${i}`),
  );
});

test('what is around a fault is counted by itself', async () => {
  const odd = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await new Promise((done) => odd.once('listening', done));
  const { port } = /** @type {AddressInfo} */ (odd.address());
  setTimeout(() => {
    odd.close();
    odd.closeAllConnections();
  }, 2200 + 600);
  const spec = specOf(
    'executor = "constant-vus"\nvus = 2\nduration = "4s"\nfaults = [{ service = "app", action = "kill", at = "2s", for = "1s", recover_within = "500ms" }]',
    get('/a', 'think = "20ms"'),
  ).replace('[scenarios.s]', '[[environments.local.services]]\nname = "app"\ncommand = ["true"]\n[scenarios.s]');
  const { metrics, log } = await play(spec, { url: `http://127.0.0.1:${port}` });
  assert.ok(metrics['http_req_failed{phase:fault}']?.values.passes > 0, log);
  const errors = metrics['bench_fault_errors{fault:1}'].values;
  assert.equal(errors.count, metrics['http_req_failed{phase:fault}'].values.passes);
  assert.ok(errors.min < 0 && errors.max > 0 && errors.max <= 600, JSON.stringify(errors));
  odd.close();
});
