// What streaming to a Prometheus costs k6: requests per CPU second, with and without it, taking turns on one core
// (driver/duet.js). Prometheus runs on the other core, with the server.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { streamTo } from '../../dist/run/services/prometheus/stream.js';
import { prometheusHere, startPrometheus } from '../support/prometheus.js';
import { duet } from './driver/duet.js';
import { printRatios } from './driver/ratios.js';
import { size } from './short.js';

if (!prometheusHere) {
  console.log('streaming: there is no Prometheus here (apt-get install prometheus)');
  process.exit();
}
const folder = join(dirname(fileURLToPath(import.meta.url)), 'driver');
const repeats = Number(process.argv[2] ?? size(8, 1));
const { url, stop } = await startPrometheus({ user: '', PROMETHEUS_PASSWORD: '', PROMETHEUS_TENANT: '' });
const labels = {
  system: 'driver',
  environment: 'local',
  case: 'bare',
  round: '1',
  version: '20260101T000000Z-1',
  side: 'head',
};
const stream = streamTo({ url: `${url}/api/v1/write`, headers: {} }, labels, 1);

/** @param {string[]} more @returns {(port: number) => string[]} */
const args = (more) => (port) => [
  '--out',
  'web-dashboard=port=-1&period=1s&record=/dev/null&tags=phase',
  ...more,
  '-e',
  `SPEC=${join(folder, 'spec.toml')}`,
  '-e',
  'SCENARIO=bare',
  '-e',
  `BASE_URL=http://127.0.0.1:${port}`,
  join(folder, '..', '..', '..', 'k6', 'main.js'),
];
const sides = [
  { name: 'not streaming', env: { GOGC: '400' }, args: args([]) },
  { name: 'labels alone', env: { GOGC: '400' }, args: args(stream.args(null).slice(2)) },
  { name: 'streaming', env: { GOGC: '400', ...stream.env }, args: args(stream.args(null)) },
];
try {
  const { path: k6 } = await findTool('k6');
  /** @type {number[][]} */
  const rounds = [];
  for (let i = 0; i < repeats; i += 1) rounds.push(await duet(k6, sides, size(3, 0.5)));
  console.log('streaming to Prometheus (aim: 0.95 or more)');
  printRatios(sides, rounds);
} finally {
  await stop();
}
