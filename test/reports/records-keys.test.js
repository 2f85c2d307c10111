// What records have of what only some cases have: faults, groups, users told apart, metrics from Prometheus.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordText } from '../../dist/records/record-text.js';
import { comparisonProblem, recordProblem } from '../../dist/records/schema.js';
import { schemaVersion } from '../../reports/schema/version.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';
import { longCase } from '../support/long-case.js';
import { close, copyOf, edit, rawOf, readJson, recordOf, reduceIn } from '../support/raw.js';

const all = await engines();
const [engine] = all;
/** What is not the machine's. @param {any} record */
const findings = (record) =>
  record.findings
    .filter((/** @type {any} */ { id }) => !['disturbed', 'colocated', 'not-stationary'].includes(id))
    .map((/** @type {any} */ { id, level }) => `${level} ${id}`);
const outcomes = (/** @type {any} */ record) =>
  record.thresholds.map((/** @type {any} */ { metric, outcome }) => `${metric} ${outcome}`);
const summaries = (/** @type {string} */ situation) =>
  [1, 2].map((round) => readJson(join(rawOf(situation), `round-${round}`, 'summary.json')).metrics);
const countIn = (/** @type {any} */ { values: { passes, fails } }) => passes + fails;
const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);

test('what is around a fault is not in the window: neither its errors nor its time', async () => {
  const record = recordOf('fault');
  const rounds = summaries('fault');
  // of 9 s, 2 s to 5.5 s and 6 s to 8 s are around faults
  assert.deepEqual(record.window, { from_s: 0, to_s: 9, seconds: 7 });
  close(record.metrics.requests_rps.value, sum(rounds.map((one) => countIn(one['http_req_failed{phase:steady}']))) / 7);
  assert.equal(record.metrics.errors_ratio.value, 0);
  assert.ok(record.metrics.rate_achieved_ratio.value > 0.95);
  assert.ok(record.metrics.cpu_ms_per_request.value > 0, 'though the service was another one in the end');
  assert.deepEqual(findings(record), []);
});

test('a fault has its errors and how long it took until there were none', async () => {
  const record = recordOf('fault');
  const rounds = summaries('fault');
  const [kill, pause] = record.faults;
  assert.deepEqual([kill.action, pause.action], ['kill', 'pause']);
  const errors = rounds.map((one) => one['bench_fault_errors{fault:1}'].values);
  assert.deepEqual(
    kill.errors,
    errors.map(({ count }) => count),
  );
  assert.ok(kill.errors.every((/** @type {number} */ count) => count > 0));
  assert.deepEqual(
    kill.recovery_ms,
    errors.map(({ max }) => Math.max(0, max)),
  );
  assert.ok(kill.down_ms.every((/** @type {number} */ ms) => ms > 800 && ms < 2500));
  assert.equal(record.metrics.recovery_ms_max.value, Math.max(...kill.recovery_ms, ...pause.recovery_ms));
  const asked = sum(rounds.map((one) => countIn(one['http_req_failed{phase:fault}'])));
  close(record.metrics.fault_errors_ratio.value, sum([...kill.errors, ...pause.errors]) / asked);
  assert.equal(record.metrics.fault_latency_ms_p95.count, asked);
  assert.deepEqual(outcomes(record), ['recovery_ms met', 'fault_errors met', 'errors_ratio met']);
  const [[from, to]] = record.timeline.faults;
  assert.ok(Math.abs(from - 3) < 0.3 && Math.abs(to - 4) < 0.3, `${from} ${to}`);
});

test('a fault off schedule, one that never was, and a service that stayed away are named', async () => {
  for (const [change, found] of /** @type {[(faults: any[]) => any[], string[]][]} */ ([
    [([kill, pause]) => [{ ...kill, began: kill.began + 400 }, pause], ['warn fault-late']],
    [([kill]) => [kill], ['error fault-missing']],
    [([kill, pause]) => [{ ...kill, ready: null }, pause], ['warn not-ready-again']],
    [([kill, pause]) => [{ ...kill, ready: kill.ready + 5000 }, pause], ['warn not-ready-again']],
  ])) {
    const folder = copyOf('fault');
    edit(join(folder, 'round-2', 'round.json'), (end) => ({ ...end, faults: change(end.faults) }));
    const record = await reduceIn(engine, folder);
    assert.deepEqual(findings(record), found);
    assert.match(record.findings.find((/** @type {any} */ { id }) => found[0].endsWith(id)).text, /in round 2 of 2/);
    assert.equal(recordProblem(record), null);
  }
});

test('a fault that has no end fails by its thresholds, and by the errors after it', async () => {
  const folder = copyOf('fault');
  for (const round of [1, 2]) {
    edit(join(folder, `round-${round}`, 'summary.json'), (summary) => {
      summary.metrics['bench_fault_errors{fault:1}'].values.max = 1600;
      Object.assign(summary.metrics['http_req_failed{phase:steady}'].values, { passes: 20 });
      return summary;
    });
  }
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'fail');
  assert.deepEqual(outcomes(record), ['recovery_ms missed', 'fault_errors met', 'errors_ratio missed']);
});

test('groups of requests, over rounds; a threshold on one', async () => {
  const record = recordOf('groups');
  const rounds = summaries('groups').map((one) => one['bench_group_duration{phase:steady,group:list view}'].values);
  const count = sum(rounds.map((one) => one.count));
  const { 'list view': view, detail } = record.groups;
  assert.equal(view.count, count);
  close(view.metrics.duration_ms_mean.value, sum(rounds.map((one) => one.avg * one.count)) / count);
  assert.equal(view.metrics.duration_ms_max.value, Number(Math.max(...rounds.map(({ max }) => max)).toPrecision(7)));
  assert.ok(view.metrics.duration_ms_p50.value > 55 && view.metrics.duration_ms_p50.value < 200, 'less the pauses');
  assert.ok(detail.count >= count - 4);
  assert.deepEqual(outcomes(record), ['group_duration met', 'errors_ratio met']);
  close(record.thresholds[0].observed, view.metrics.duration_ms_mean.value);
  assert.deepEqual(Object.keys(record.timeline.requests).sort(), ['GET /', 'GET /sleep/20', 'GET /sleep/40']);
});

test('groups count where latencies do', async () => {
  const folder = copyOf('groups');
  edit(join(folder, 'round-1', 'round.json'), (end) => ({ ...end, interrupted_iterations: 50 }));
  const record = await reduceIn(engine, folder);
  assert.equal(record.groups.detail.metrics.duration_ms_p50.reason, 'unfinished');
});

test('users told apart, over rounds; one without a rate cannot meet a threshold', async () => {
  const record = recordOf('users');
  const rounds = summaries('users');
  const total = (/** @type {string} */ of, /** @type {number} */ user) =>
    sum(rounds.map((one) => one[`bench_${of}{phase:steady,user:${user}}`].values.count));
  const rates = [1, 2, 3].map((user) => (total('received_bytes', user) * 1000) / total('receiving_ms', user));
  assert.deepEqual(record.per_user.users, [1, 2, 3]);
  for (const [i, rate] of rates.entries()) close(record.per_user.receiving_bytes_per_second[i], rate);
  assert.deepEqual(
    record.per_user.requests,
    [1, 2, 3].map((user) => total('user_requests', user)),
  );
  close(record.metrics.receiving_bytes_per_second_min.value, Math.min(...rates));
  close(record.metrics.receiving_bytes_per_second_p50.value, [...rates].sort()[1]);
  assert.deepEqual(outcomes(record), ['receiving_rate met', 'receiving_rate met', 'errors_ratio met']);
  const silent = copyOf('users');
  for (const round of [1, 2]) {
    edit(join(silent, `round-${round}`, 'summary.json'), (summary) => {
      const names = ['received_bytes', 'receiving_ms'].map((of) => `bench_${of}{phase:steady,user:2}`);
      for (const name of names) summary.metrics[name].values.count = 0;
      return summary;
    });
  }
  const other = await reduceIn(engine, silent);
  assert.deepEqual(findings(other), ['error user-without-rate']);
  assert.equal(other.per_user.receiving_bytes_per_second[1], null);
  assert.equal(recordProblem(other), null);
});

test('iterations that were cut off but began after the window are not missing from it', async () => {
  const reduced = async (/** @type {number} */ begun) => {
    const folder = copyOf('counted');
    edit(join(folder, 'round-1', 'round.json'), (end) => ({ ...end, interrupted_iterations: 40 }));
    edit(join(folder, 'round-1', 'summary.json'), (summary) => {
      summary.metrics.bench_begun_after = { type: 'counter', values: { count: begun, rate: 1 } };
      summary.metrics['iterations{phase:cooldown}'] = { type: 'counter', values: { count: 100, rate: 1 } };
      return summary;
    });
    return findings(await reduceIn(engine, folder));
  };
  assert.deepEqual(await reduced(140), []);
  assert.deepEqual(await reduced(150), [], 'a count that is off makes a record all the same');
  assert.deepEqual(await reduced(100), ['error unfinished']);
});

test('metrics from Prometheus are metrics like others, and on the timeline', async () => {
  const folder = copyOf('ok');
  const query = (/** @type {string} */ name, /** @type {string} */ over) => ({
    name,
    query: 'x',
    unit: 'bytes',
    direction: 'lower',
    over,
  });
  const threshold = {
    metric: 'heap_bytes',
    selector: {},
    expr: 'value<500',
    aggregation: 'value',
    percentile: null,
    op: '<',
    value: 500,
    unit: null,
    level: 'fail',
    min_samples: 1,
    source: 'query',
    k6_metric: null,
  };
  edit(join(folder, 'case.json'), (file) => ({
    ...file,
    case: {
      ...file.case,
      queries: [query('heap_bytes', 'time'), query('heap_max', 'window')],
      thresholds: [threshold],
    },
  }));
  for (const round of [1, 2]) {
    const {
      values: { min: started },
    } = readJson(join(folder, `round-${round}`, 'summary.json')).metrics.bench_started;
    const series = [0, 1, 2, 3].map((second) => [started + 1000 * second, 100 * round + second]);
    const problem = { id: 'empty', text: 'it has no value' };
    writeFileSync(
      join(folder, `round-${round}`, 'prometheus.json'),
      JSON.stringify({
        schema: schemaVersion,
        url: null,
        from: started,
        to: started + 3000,
        step_s: 1,
        stream: null,
        results: [
          { name: 'heap_bytes', value: 100 * round + 1.5, series, problem: null },
          { name: 'heap_max', value: null, series: null, problem },
        ],
      }),
    );
  }
  for (const one of all) {
    const record = await reduceIn(one, folder);
    assert.equal(recordProblem(record), null);
    const { value, samples, unit, direction, valid } = record.metrics.heap_bytes;
    assert.deepEqual([value, samples, unit, direction, valid], [151.5, [101.5, 201.5], 'bytes', 'lower', true]);
    assert.equal(record.metrics.heap_max.valid, false);
    assert.deepEqual(outcomes(record), ['heap_bytes met', 'errors_ratio met']);
    assert.deepEqual(findings(record), ['warn query-empty']);
    assert.equal(record.timeline.queries.heap_bytes.length, record.timeline.t.length);
  }
});

test('a record without any of this is a record still', () => {
  const record = readJson(join(rawOf('fault'), 'record.json'));
  const { faults: _, groups: __, per_user: ___, ...old } = record;
  const fresh = /^(latency_ms_(mean|p90|max)|iterations_rps|.*_bytes_per_second|machine|requests|queries|faults)$/;
  const timeline = Object.fromEntries(Object.entries(record.timeline).filter(([key]) => !fresh.test(key)));
  assert.equal(recordProblem({ ...old, timeline }), null);
});

/** With itself. @param {string} situation */
async function compared(situation) {
  const folder = copyOf(situation);
  const [head, plan] = ['record.json', 'plan.json'].map((name) => join(folder, name));
  const { speed } = readJson(join(rawOf('ok'), 'record.json'));
  edit(head, (value) => ({ ...value, speed }));
  const record = readJson(head);
  const { system, environment, scenario, case: name, values } = record;
  writeFileSync(
    plan,
    JSON.stringify({
      schema: schemaVersion,
      run: 'r',
      time: record.time,
      command: null,
      folder: null,
      baseline: 'v1',
      head: null,
      compare: null,
      cases: [
        {
          system,
          environment,
          scenario,
          case: name,
          values,
          status: 'measured',
          reason: null,
          head,
          base: head,
          base_reason: null,
          baseline: 'v1',
          series: [],
        },
      ],
    }),
  );
  const program = (/** @type {string} */ file) => ['-f', join(root, 'reports', file)];
  const comparison = JSON.parse(await jqIn(engine, [...program('comparison.json.jq'), plan, head]));
  assert.equal(comparisonProblem(comparison), null);
  const file = join(folder, 'comparison.json');
  writeFileSync(file, JSON.stringify(comparison));
  const print = (/** @type {string} */ name) => jqIn(engine, ['-r', ...program(name), file]);
  const [text, markdown] = await Promise.all(['report.txt.jq', 'report.md.jq'].map(print));
  return { comparison, text, markdown };
}

test('a comparison has the metrics of the case, and its reports say what faults did', async () => {
  const { comparison, text, markdown } = await compared('fault');
  const row = comparison.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'recovery_ms_max');
  assert.deepEqual([row.gated, row.scale, row.direction], [false, 'ratio', 'lower']);
  const line = /kill app at 3 s for 1 s: \d+ errors, the last [\d.]+ s after its end/;
  assert.match(text, new RegExp(`^Faults\n  fault: ${line.source}`, 'm'));
  assert.match(markdown, new RegExp(`^\\*\\*Faults\\*\\*\n\n- \`fault\` ${line.source}`, 'm'));
});

test('reports show groups and users in a line each', async () => {
  const [groups, users] = await Promise.all(['groups', 'users'].map((situation) => compared(situation)));
  assert.match(
    groups.text,
    /^Groups of requests\n {2}groups: detail: p50 [\d.]+ ms, p95 [\d.]+ ms, \d+ times\n {2}gr/m,
  );
  assert.match(users.text, /^Users\n {2}users: 3 users received \d+ kB\/s to \d+ kB\/s, the median is \d+ kB\/s$/m);
  assert.match(users.markdown, /^\*\*Users\*\*\n\n- `users` 3 users/m);
});

test('a long record with queries and requests over time stays small', async () => {
  const folder = longCase({ names: 12, rounds: 2, seconds: 1800 });
  const record = await reduceIn(engine, folder);
  assert.ok(Buffer.byteLength(recordText(record)) <= 64_000);
  assert.equal(recordProblem(record), null);
});

test('of two sides that take turns, rates and cores are of the own turns, and a request costs what it costs', async () => {
  const folder = copyOf('native');
  const whole = await reduceIn(engine, folder);
  edit(join(folder, 'case.json'), (file) => ({ ...file, case: { ...file.case, turns: { turn_s: 0.25, place: 1 } } }));
  const turned = await reduceIn(engine, folder);
  assert.equal(turned.window.seconds, whole.window.seconds / 2);
  for (const name of ['throughput_rps', 'requests_rps', 'cpu_ratio_mean'])
    close(turned.metrics[name].value, 2 * whole.metrics[name].value);
  for (const name of ['cpu_ms_per_request', 'latency_ms_p50', 'errors_ratio'])
    assert.equal(turned.metrics[name].value, whole.metrics[name].value, name);
});
