import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../dist/base/tools/find-tool.js';
import { timesIn } from '../../dist/run/services/prometheus/run-queries.js';
import { settingsOf } from '../../dist/run/services/prometheus/settings.js';
import { storagesIn } from '../../dist/run/services/prometheus/storage.js';
import { folderOf } from '../support/cli.js';
import { ask, hangingServer, prometheusHere, startPrometheus } from '../support/prometheus.js';
import {
  assertNothingLeft,
  assertNowhere,
  lastRun,
  processIn,
  readJson,
  situations,
  startedIn,
  startRun,
} from '../support/situations.js';

const skip = prometheusHere ? false : 'prometheus is not on PATH: apt-get install prometheus';
const project = () => situations(undefined, 'run-prometheus');

/** @param {string} folder @param {string} environment @param {string} scenario */
const caseOf = async (folder, environment, scenario) => join(await lastRun(folder), 'box', environment, scenario);
const recordOf = async (/** @type {[string, string, string]} */ ...of) =>
  readJson(join(await caseOf(...of), 'record.json'));
/** @param {any} record @returns {Record<string, string>} level by id */
const findingsOf = ({ findings }) =>
  Object.fromEntries(findings.map((/** @type {any} */ { id, level }) => [id, level]));
/** @param {string} folder @returns {Promise<string[]>} what a private Prometheus would have left */
const storageIn = async (folder) => storagesIn(join(await lastRun(folder), '.scratch'));

/** A machine that is busy for a moment is no finding then, which would come before those of queries. */
const leisurely = ['--player', 'javascript'];

const nobody = 'http://127.0.0.1:9/api/v1/write';

// They wait more than they compute, so all at once.
describe('Prometheus', { concurrency: true }, () => {
  describe('a private Prometheus', { skip, concurrency: true }, () => {
    test('reads the services, takes what k6 sends, and gives metrics like any other', async () => {
      const folder = await project();
      const args = ['--env', 'private', '--scenario', 'asked', '--rounds', '2'];
      const { code, stderr, stdout } = await startRun(folder, args).done;
      assert.equal(code, 0, stderr + stdout);
      const record = await recordOf(folder, 'private', 'asked');
      const { handled_rps, heap_bytes_mean, sent_count, sent_p95_s } = record.metrics;
      assert.deepEqual([handled_rps.unit, handled_rps.direction, handled_rps.samples.length], ['1/s', 'higher', 2]);
      assert.ok(handled_rps.value > 40 && handled_rps.value < 60, String(handled_rps.value));
      assert.ok(heap_bytes_mean.value > 1e6 && sent_p95_s.value > 0);
      // Rounds are told apart, or the second would have the first's as well.
      const log = await readFile(join(await caseOf(folder, 'private', 'asked'), 'app.log'), 'utf8');
      const handled = Number(log.match(/handled (\d+)/)?.[1]);
      const sent = sent_count.samples[0] + sent_count.samples[1];
      // On a busy machine the last second of a round may come after the question, and a round may be measured again.
      const measured = (await readdir(await caseOf(folder, 'private', 'asked'))).filter((name) =>
        /^(disturbed-\d+-)?round-\d+$/.test(name),
      );
      const counted = (handled * 2) / measured.length;
      assert.ok(handled > 500 && sent <= handled && sent > 0.8 * counted, `${sent} of ${handled}`);
      assert.ok(sent < 1.3 * counted, `${sent} of ${counted}`);
      const course = record.timeline.queries.heap_bytes_mean;
      const known = course.filter((/** @type {number | null} */ value) => value !== null);
      assert.ok(known.length >= 3, 'the course of what is asked for over time is in the timeline');
      const threshold = record.thresholds.find((/** @type {any} */ { metric }) => metric === 'handled_rps');
      assert.deepEqual([threshold.outcome, threshold.observed], ['met', handled_rps.value]);
      assert.deepEqual(await storageIn(folder), []);
      await assertNothingLeft(folder);
    });

    test('a threshold on its metric that is missed fails the case', async () => {
      const folder = await project();
      const { code, stderr, stdout } = await startRun(folder, ['--env', 'private', '--scenario', 'missed']).done;
      const record = await recordOf(folder, 'private', 'missed');
      const threshold = record.thresholds.find((/** @type {any} */ { metric }) => metric === 'heap_bytes_mean');
      assert.equal(threshold.outcome, 'missed');
      if (record.verdict !== 'invalid') assert.deepEqual([code, record.verdict], [1, 'fail'], stderr + stdout);
    });

    test('no series, NaN, several, a wrong query: each its finding, none a zero', async () => {
      const folder = await project();
      const { code, stderr } = await startRun(folder, ['--env', 'private', '--scenario', 'valueless', ...leisurely])
        .done;
      assert.equal(code, 0, stderr);
      const { metrics, findings } = await recordOf(folder, 'private', 'valueless');
      const textOf = (/** @type {string} */ name) => findings.find((/** @type {any} */ one) => one.metrics[0] === name);
      for (const [name, id, text] of /** @type {[string, string, RegExp][]} */ ([
        ['none', 'query-empty', /no series was found/],
        ['nan', 'query-nan', /the value is NaN/],
        ['nan_over_time', 'query-nan', /NaN, all along/],
        ['wrong', 'query-error', /bad_data.*parse error/],
        ['many', 'query-several', /2 series were found, .*kind="other".*Take sum\(\)/],
        ['buckets', 'query-error', /histogram_quantile/],
      ])) {
        assert.deepEqual([metrics[name].value, metrics[name].valid, metrics[name].reason], [null, false, id], name);
        assert.equal(textOf(name).level, 'warn');
        assert.match(textOf(name).text, text);
      }
    });

    test('that cannot read a service says so', async () => {
      const folder = await project();
      const { code, stderr } = await startRun(folder, ['--env', 'mute', '--scenario', 'missed']).done;
      assert.equal(code, 3, stderr);
      const { findings } = await recordOf(folder, 'mute', 'missed');
      const { level, text } = findings.find((/** @type {any} */ { id }) => id === 'query-empty');
      assert.equal(level, 'error');
      assert.match(text, /no series was found: the metrics of service "app" cannot be read \(.+\)\.$/);
    });

    test('killed half-way: the round ends, the metric is missing, and the case is not green', async () => {
      const folder = await project();
      const run = startRun(folder, ['--env', 'private', '--scenario', 'long']);
      await processIn(folder, 'k6');
      await sleep(2000);
      process.kill(await processIn(folder, 'prometheus'), 'SIGKILL');
      const { code, stderr } = await run.done;
      assert.equal(code, 3, stderr);
      const record = await recordOf(folder, 'private', 'long');
      assert.equal(findingsOf(record)['query-unreachable'], 'error');
      assert.equal(record.verdict, 'invalid');
      assert.equal(record.metrics.handled_rps.value, null);
      assert.ok(record.metrics.throughput_rps.value > 0);
      await assertNothingLeft(folder);
    });

    for (const signal of /** @type {const} */ (['SIGINT', 'SIGKILL'])) {
      test(`is gone after ${signal}`, async () => {
        const folder = await project();
        const run = startRun(folder, ['--env', 'private', '--scenario', 'long']);
        await processIn(folder, 'k6');
        assert.ok(startedIn(folder).some((one) => one?.name === 'prometheus'));
        run.child.kill(signal);
        await run.done;
        await assertNothingLeft(folder);
        const [storage] = await storageIn(folder);
        assert.equal(storage === undefined, signal === 'SIGINT');
        if (storage === undefined) return;
        const next = startRun(folder, ['--env', 'sink', '--scenario', 'streamed'], { PROMETHEUS: nobody });
        const { stderr } = await next.done;
        assert.match(stderr, new RegExp(`deleted .*${storage}`));
        assert.ok(!existsSync(storage));
      });
    }
  });

  test('k6 sends our headers in every form, and leaves alone what is not set', () => {
    const values = { env: { TOKEN: 'a token' }, specDir: '/', runDir: '/', ports: {} };
    /** @param {Record<string, unknown>} prometheus */
    const settings = (prometheus) => settingsOf(/** @type {any} */ ({ prometheus }), values);
    const of = (/** @type {Record<string, unknown>} */ prometheus) => /** @type {any} */ (settings(prometheus).written);
    const url = 'http://prometheus:9090';
    assert.deepEqual(of({ url: `${url}/` }), { url: `${url}/api/v1/write`, headers: {} });
    assert.equal(of({ url, remote_write: false }), false);
    assert.equal(of({}), null);
    const basic = 'Basic dTpwQA=='; // u:p@
    const written = of({ url, username: 'u', password: 'p@', headers: { 'X-A': '1' } });
    assert.deepEqual(written.headers, { Authorization: basic, 'X-A': '1' });
    const inUrl = of({ url: 'http://u:p%40@prometheus:9090' });
    assert.deepEqual(inUrl, { url: `${url}/api/v1/write`, headers: { Authorization: basic } });
    assert.deepEqual(of({ url, bearer_token: '${env.TOKEN}' }).headers, { Authorization: 'Bearer a token' });
    assert.equal(settings({ url, bearer_token: '${env.TOKEN}' }).hide('http://u:p@host a token'), 'http://host ***');
    assert.throws(() => of({ url: 'nowhere' }), /the address of Prometheus is not a URL/);
  });

  test('times in a query are those of the window', () => {
    const window = { from: 1000, to: 11_000 };
    assert.equal(
      timesIn('rate(a[$__range]) + rate(b[$__rate_interval]) + $__other', window, 0.5),
      'rate(a[10s]) + rate(b[2s]) + $__other',
    );
    assert.equal(timesIn('a[$__range:$__interval]', { from: 0, to: 1234.4 }, 1), 'a[1234ms:1s]');
  });

  test('without a Prometheus the metrics are missing, and the rest is measured', async () => {
    const folder = await project();
    const bin = await folderOf({});
    for (const name of ['node', 'jq', 'gojq', 'git']) {
      const found = name === 'node' ? process.execPath : findProgram(name, process.env);
      if (found) await symlink(found, join(bin, name));
    }
    const args = ['--env', 'private', '--scenario', 'asked', ...leisurely];
    const { code, stderr } = await startRun(folder, args, { PATH: bin }).done;
    assert.equal(code, 3, stderr); // a threshold that can fail needs one of them
    const record = await recordOf(folder, 'private', 'asked');
    assert.equal(findingsOf(record)['prometheus-missing'], 'error');
    assert.deepEqual(
      [record.metrics.handled_rps.value, record.metrics.handled_rps.reason],
      [null, 'prometheus-missing'],
    );
    assert.ok(record.metrics.throughput_rps.value > 0);
  });

  describe('a Prometheus that is there already', { concurrency: true }, () => {
    test('gets what k6 sends, and is asked, with our credentials, which are in no file', { skip }, async () => {
      const secrets = { PROMETHEUS_PASSWORD: 'swordfish: 123', PROMETHEUS_TENANT: 'tenant-of-ours' };
      const own = await startPrometheus({ user: 'bench', ...secrets });
      try {
        const folder = await project();
        const { code, stderr } = await startRun(folder, ['--env', 'outside', '--scenario', 'asked'], {
          PROMETHEUS: own.guarded,
          ...secrets,
        }).done;
        assert.equal(code, 3, stderr); // nobody reads our service there: what a threshold needs is empty
        assert.deepEqual(startedIn(folder), []);
        const record = await recordOf(folder, 'outside', 'asked');
        const { level } = record.findings.find((/** @type {any} */ { metrics }) => metrics.includes('handled_rps'));
        assert.deepEqual([level, findingsOf(record)['stream-failed']], ['error', undefined]);
        assert.ok(record.metrics.sent_count.value > 200);
        const [{ metric }] = await ask(own.url, 'last_over_time(k6_http_reqs_total{phase="steady"}[5m])');
        const { system, environment, case: name, round, version, side, scenario } = metric;
        assert.deepEqual(
          { system, environment, name, round, version, side, scenario },
          {
            system: 'box',
            environment: 'outside',
            name: 'asked',
            round: '1',
            version: record.version,
            side: 'head',
            scenario: 'asked',
          },
        );
        for (const secret of Object.values(secrets)) await assertNowhere(folder, secret);
        await assertNowhere(folder, Buffer.from(`bench:${secrets.PROMETHEUS_PASSWORD}`).toString('base64'));
      } finally {
        await own.stop();
      }
    });

    test('is down: k6 goes on, and it is said', async () => {
      const folder = await project();
      const { code, stderr } = await startRun(folder, ['--env', 'sink', '--scenario', 'streamed'], {
        PROMETHEUS: nobody,
      }).done;
      assert.equal(code, 0, stderr);
      const record = await recordOf(folder, 'sink', 'streamed');
      assert.equal(findingsOf(record)['stream-failed'], 'warn');
      assert.match(JSON.stringify(record.findings), /could not send its metrics: .*connection refused/);
      assert.ok(record.metrics.throughput_rps.value > 10);
    });

    test('does not answer: k6 goes on, and asking ends after a while', async () => {
      const { url, stop } = await hangingServer();
      try {
        const folder = await project();
        const { code, stderr } = await startRun(folder, ['--env', 'outside', '--scenario', 'valueless'], {
          PROMETHEUS: url,
          PROMETHEUS_PASSWORD: 'swordfish',
          PROMETHEUS_TENANT: 'tenant',
        }).done;
        assert.equal(code, 0, stderr);
        const record = await recordOf(folder, 'outside', 'valueless');
        assert.deepEqual([findingsOf(record)['query-timeout'], findingsOf(record)['stream-failed']], ['warn', 'warn']);
        assert.ok(record.metrics.throughput_rps.value > 10);
      } finally {
        stop();
      }
    });
  });
});
