// A service with a pool: a duet's load lane and saturation probe see it, one user who waits for each answer does not.
import { repositoryOf } from './commits.js';
import { shop } from './shop.js';

/**
 * Answers after so many milliseconds with one of so many connections; with too many waiting it may end, or answer nothing
 * where more than so many are used. It may keep so many bytes of each request.
 */
export const server = `
const { pool, most, delay = 5, empty = Infinity, leak = 0 } = require('./settings.json');
const leaked = [];
let free = pool;
const waiting = [];
const answer = (response) => setTimeout(() => {
  response.end(pool - free > empty ? '' : 'ok'.repeat(99));
  const next = waiting.shift();
  if (next) answer(next);
  else free += 1;
}, delay);
require('node:http').createServer((request, response) => {
  leaked.push(Buffer.alloc(leak, 1));
  if (free > 0) { free -= 1; return answer(response); }
  waiting.push(response);
  if (waiting.length > most) process.exit(7);
}).listen(process.env.PORT, '127.0.0.1');
`;

/** A scenario of its own rate. */
export const scenario = `[scenarios.list]
executor = "constant-arrival-rate"
rate = 60
duration = "30s"
preAllocatedVUs = 20
[[scenarios.list.requests]]
get = "/"
`;

/**
 * Twice as slow, or anything else of one user, decides nothing here.
 * @param {number} alpha
 */
export const benchOf = (alpha) => `[compare]
alpha = ${alpha}
tolerance = 9
tolerances = { "throughput_rps{lane:saturation}" = 1, "throughput_rps{lane:load}" = 0.5 }
gate = ["latency_ms_p50"]
[duet]
blocks = 3
warmup = "200ms"
duration = "1s"
load = { warmup = "300ms", duration = "1s", saturation = "1s", users = 20 }
age = false
`;

/**
 * A repository of base and head.
 * @typedef {{ pool: number, most: number, delay?: number, empty?: number, leak?: number }} Settings
 * @param {number} alpha
 * @param {Settings} base
 * @param {Settings} head
 * @param {string} [spec]
 * @param {string} [bench]
 */
export const poolRepository = (alpha, base, head, spec = shop + scenario, bench = benchOf(alpha)) =>
  repositoryOf(
    { 'bench.toml': bench, 'specs/shop/server.cjs': server, 'specs/shop/spec.toml': spec },
    ...[base, head].map((settings, n) => ({ 'specs/shop/settings.json': JSON.stringify({ ...settings, n }) })),
  );

/** A metric of the first case of comparison.json. @param {any} json @param {string} name */
export const rowOf = (json, name) => json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === name);
