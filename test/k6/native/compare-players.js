// One meaning, two players: a feature is run by both against a server that writes down what it got, and both must
// have sent the same and counted the same. What only the JavaScript player has: scripts; patterns that look
// ahead, behind or back; proxies of the environment; thresholds on tags that tell responses apart (status, …).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findTool } from '../../../dist/base/tools/find-tool.js';
import { answersIn } from '../../../dist/run/generator/answers.js';
import { root } from '../../support/k6/drive.js';
import { certificateFile, startRecorder } from './server.js';

/** @import { Feature } from './features.js' */
/** @import { Seen } from './server.js' */

/**
 * What came to a server. connection: not where it is chance
 * @typedef {Omit<Seen, 'connection'> & Partial<Pick<Seen, 'connection'>>} Sent
 */

const { path: k6 } = await findTool('k6');

/**
 * Of users who share iterations it is chance who gets how many, and each reads no body before it has seen a small one.
 * @param {ReturnType<typeof answersIn>} answers
 */
const withoutCounts = (answers) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, { bodies, fields: _, ...rest }]) => [
      name,
      { ...rest, bodies: bodies.distinct },
    ]),
  );

/**
 * Whose bodies were read depends on how long they took to receive. By HTTP/2 no other sizes are known: Node.js does not say them first.
 * @param {ReturnType<typeof answersIn>} answers
 * @param {Feature} feature
 */
const withoutBodies = (answers, { http2 }) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, { bodies: _, fields: __, sizes, ...rest }]) => [
      name,
      { ...rest, ...(!http2 && { sizes }) },
    ]),
  );

/**
 * k6 counts what it sent once the call that sends returns: on a busy machine the answer, and the end of the iteration, may be sooner.
 * What a user received is counted where that took 50 ms: on a busy machine any answer may.
 * @param {Record<string, unknown>} counts
 */
const withoutTimed = (counts) =>
  Object.fromEntries(
    Object.entries(counts).filter(([name]) => !/^(data_sent|bench_received_bytes|bench_receiving_ms)/.test(name)),
  );

/**
 * Sends a feature by both players: what they send and count must be the same.
 * @param {Feature} feature
 * @param {{ inTime?: boolean }} [options] inTime: nothing else keeps the machine busy, and what depends on time is compared too
 */
export async function compare(feature, { inTime = false } = {}) {
  const [script, native] = [await runWith(feature, 'main.js'), await runWith(feature, 'native.js')];
  if (feature.open) {
    // the last is due just when the time is up: k6 itself sends it or not
    assert.ok(
      Math.abs(Number(native.counts) - Number(script.counts)) <= 1,
      `${native.counts} and ${script.counts} were due`,
    );
    return;
  }
  const counted = (/** @type {typeof native} */ { counts }) =>
    inTime && !feature.http2 ? counts : withoutTimed(counts);
  assert.deepEqual(counted(native), counted(script), `counts\n${native.log}`);
  const looked = (/** @type {{ answers: ReturnType<typeof answersIn> }} */ { answers }) =>
    !inTime ? withoutBodies(answers, feature) : feature.unordered ? withoutCounts(answers) : answers;
  assert.deepEqual(looked(native), looked(script), 'answers that were sampled');
  const versions = new Set([...native.seen, ...script.seen].flat().map(({ version }) => version));
  assert.deepEqual([...versions], versions.size === 0 ? [] : [feature.http2 ? '2.0' : '1.1'], 'HTTP that was spoken');
  assert.equal(native.opened, native.connections, 'connections that were opened, as counted and as seen');
  if (feature.counts || feature.drawn) return;
  assert.deepEqual(native.seen, inTime ? script.seen : await sentInTime(feature, script.seen, native.seen));
}

/**
 * k6 opens another connection where it did not learn within 50 ms that a request was written (maxWriteWaitBeforeConnReuse of Go's
 * net/http): on a busy machine it sends again, at most twice, if the players differ in nothing but connections.
 * @param {Feature} feature
 * @param {Sent[][]} seen what k6 sent
 * @param {Sent[][]} native
 */
async function sentInTime(feature, seen, native) {
  let last = seen;
  for (let n = 0; n < 2 && !isDeepStrictEqual(last, native); n += 1) {
    if (!isDeepStrictEqual(withoutConnections(last), withoutConnections(native))) break;
    last = (await runWith(feature, 'main.js')).seen;
  }
  return last;
}

/** @param {Sent[][]} seen */
const withoutConnections = (seen) => seen.map((requests) => requests.map(({ connection: _, ...rest }) => rest));

/**
 * @param {Feature} feature
 * @param {string} entry
 */
async function runWith(
  {
    requests,
    load = 'executor = "per-vu-iterations"',
    files = {},
    env = {},
    unordered = false,
    drawn = false,
    apart = false,
    open = false,
    http2 = false,
  },
  entry,
) {
  const [server, other] = [await startRecorder({ http2 }), await startRecorder({ http2 })];
  const suite = mkdtempSync(join(tmpdir(), 'benchfolio-conformance-'));
  const folder = join(suite, 'specs', 'shop');
  mkdirSync(folder, { recursive: true });
  const spec = `title = "Shop"\n[environments.local]\nurl = "http://127.0.0.1:1"\nhosts = ${JSON.stringify([other.url, ...nobody])}\n[scenarios.s]\n${load}\n${requests}`;
  for (const [name, content] of Object.entries({ ...files, 'spec.toml': spec }))
    writeFileSync(join(folder, name), content.replaceAll('{other}', other.url));
  const summary = join(suite, 'summary.json');
  const given = {
    SPEC: join(folder, 'spec.toml'),
    SUMMARY: summary,
    ANSWERS: '1000',
    FIELDS: '20',
    BASE_URL: server.url,
    ...env,
  };
  try {
    const log = await run([
      'run',
      '--quiet',
      '--no-usage-report',
      '--no-color',
      ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      join(root, 'k6', entry),
    ]);
    assert.ok(existsSync(summary), log);
    const { metrics } = JSON.parse(readFileSync(summary, 'utf8'));
    return {
      log,
      answers: drawn || apart ? {} : answersIn([log]),
      opened: metrics['bench_connections{phase:steady}']?.values.count,
      connections: [server, other].reduce((sum, { seen }) => sum + new Set(seen.map((one) => one.connection)).size, 0),
      counts: open ? dueOf(metrics) : countsOf(metrics, { drawn, apart }),
      seen: [server, other].map(({ seen }) =>
        inOrder(withoutPorts(seen, { url: server.url, other: other.url }), unordered),
      ),
    };
  } finally {
    server.close();
    other.close();
    rmSync(suite, { recursive: true });
  }
}

/** Where nobody answers. */
const nobody = ['http://127.0.0.1:1', 'https://127.0.0.1:1', 'http://nowhere.invalid'];

/** @param {string[]} args @returns {Promise<string>} its log */
function run(args) {
  return new Promise((done, fail) => {
    const child = spawn(k6, args, {
      env: { ...process.env, SSL_CERT_FILE: certificateFile, K6_AUTO_EXTENSION_RESOLUTION: 'false' },
      timeout: 30_000,
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      log += chunk;
    });
    child.stdout.resume();
    child.on('error', fail);
    child.on('close', () => done(log));
  });
}

/** What k6 counts of how long it took depends on time; how late it is, and how often it connects, only the native player knows. */
const timed = /^(vus|vus_max|bench_started|bench_ended|bench_lateness|bench_connections|data_received)/;

/**
 * How often everything was counted; of what was never counted nothing.
 * @param {Record<string, { type: string, values: Record<string, number> }>} metrics
 * @param {{ drawn: boolean, apart: boolean }} feature requests are not told apart; bytes are not counted
 */
function countsOf(metrics, { drawn, apart }) {
  const all = Object.entries(metrics).filter(
    ([name]) =>
      !timed.test(name) &&
      (name.includes('{') || name === 'dropped_iterations') &&
      !(drawn && name.includes(',name:')) &&
      !(apart && name.startsWith('data_sent')),
  );
  return Object.fromEntries(
    all
      .flatMap(([name, { values }]) => {
        const { count, passes, fails } = values;
        const own = Object.entries({ count, passes, fails }).filter(([, value]) => value);
        return own.length ? [[name, Object.fromEntries(own)]] : [];
      })
      .sort(),
  );
}

/** @param {Record<string, { values: Record<string, number> }>} metrics */
const dueOf = (metrics) =>
  metrics['iterations{phase:steady}'].values.count + (metrics.dropped_iterations?.values.count ?? 0);

/**
 * @param {Seen[]} seen
 * @param {Record<string, string>} addresses by name
 * @returns {Seen[]} with names in place of hosts and ports
 */
function withoutPorts(seen, addresses) {
  let text = JSON.stringify(seen);
  for (const [name, url] of Object.entries(addresses)) text = text.replaceAll(new URL(url).host, `{${name}}`);
  return JSON.parse(text);
}

/** @param {Seen[]} seen @param {boolean} unordered */
function inOrder(seen, unordered) {
  const texts = seen.map(({ connection, ...rest }) => ({ ...rest, ...(!unordered && { connection }) }));
  return unordered ? texts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : texts;
}
