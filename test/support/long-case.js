import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawOf } from './raw.js';
import { scratchFolder } from './scratch.js';

const read = (/** @type {string} */ name) => readFileSync(join(rawOf('ok'), name), 'utf8');
const readLines = (/** @type {string} */ name) =>
  read(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * The raw files of a long case: those of the fixture raw/ok, their last second over and over, with requests by many
 * names.
 * @param {{ rounds?: number, seconds?: number, names?: number, services?: number }} [size]
 * @returns {string} its folder
 */
export function longCase({ rounds = 1, seconds = 3600, names = 1, services = 1 } = {}) {
  const folder = scratchFolder('hour');
  const file = JSON.parse(read('case.json'));
  const [request] = file.case.requests;
  const requests = Array.from({ length: names }, (_, i) => ({ ...request, name: `GET /a/path/of/some/length/${i}` }));
  const [service] = file.case.services;
  const running = Array.from({ length: services }, (_, i) => ({ ...service, name: i ? `app-${i}` : 'app' }));
  Object.assign(file.case, { requests, services: running, window: { from_s: 0, to_s: seconds }, duration_s: seconds });
  file.run.rounds = rounds;
  writeFileSync(join(folder, 'case.json'), JSON.stringify(file));
  for (let round = 1; round <= rounds; round += 1) {
    const place = join(folder, `round-${round}`);
    mkdirSync(place);
    const end = { ...JSON.parse(read('round-1/round.json')), round, part: 1, parts: 1 };
    const summary = longSummary(
      seconds,
      requests.map(({ name }) => name),
      1 + round / 100,
    );
    const started = summary.metrics.bench_started.values.min;
    writeFileSync(join(place, 'round.json'), JSON.stringify(end));
    writeFileSync(join(place, 'summary.json'), JSON.stringify(summary));
    writeFileSync(join(place, 'timeline.ndjson'), longTimeline(seconds, started));
    writeFileSync(
      join(place, 'services.ndjson'),
      longSamples(
        seconds,
        started,
        running.map(({ name }) => name),
      ),
    );
  }
  return folder;
}

/** @param {number} seconds @param {string[]} names @param {number} factor of all times: rounds differ */
function longSummary(seconds, names, factor) {
  const summary = JSON.parse(read('round-1/summary.json'));
  /** @type {Record<string, any>} */
  const metrics = {};
  for (const [key, metric] of Object.entries(summary.metrics)) {
    const values = grown(metric, seconds, factor);
    if (!key.includes('name:')) metrics[key] = { ...metric, values };
    else for (const name of names) metrics[key.replace('GET /', name)] = { ...metric, values };
  }
  return { ...summary, metrics };
}

/** @param {any} metric @param {number} seconds @param {number} factor */
function grown({ type, values }, seconds, factor) {
  const scale = { trend: (/** @type {string} */ key) => (key === 'count' ? seconds / 3 : factor), gauge: () => 1 };
  const by = scale[/** @type {'trend' | 'gauge'} */ (type)] ?? (() => seconds / 3);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value * by(key)]));
}

/** @param {number} seconds @param {number} started @returns {string} with the cumulative lines, as k6 writes it */
function longTimeline(seconds, started) {
  const events = readLines('round-1/timeline.ndjson');
  const head = events.filter(({ event }) => event === 'param' || event === 'metric' || event === 'start');
  const names = head
    .filter(({ event }) => event === 'metric')
    .flatMap(({ data }) => Object.keys(data))
    .sort();
  const last = events.filter(({ event }) => event === 'snapshot').at(-1).data;
  const [time, latency] = ['time', 'http_req_duration'].map((name) => names.indexOf(name));
  const rows = Array.from({ length: seconds }, (_, i) => {
    const data = [...last];
    data[time] = [started + (i + 1) * 1000];
    const wave = 1 + 0.2 * Math.sin(i);
    data[latency] = last[latency].map((/** @type {number} */ value) => Number((value * wave).toFixed(5)));
    return `${JSON.stringify({ event: 'cumulative', data })}\n${JSON.stringify({ event: 'snapshot', data })}`;
  });
  return [...head.map((event) => JSON.stringify(event)), ...rows, ''].join('\n');
}

/** @param {number} seconds @param {number} started @param {string[]} names */
function longSamples(seconds, started, names) {
  const last = readLines('round-1/services.ndjson').at(-1);
  const lines = Array.from({ length: seconds + 2 }, (_, i) =>
    JSON.stringify({
      t: started + (i - 1) * 1000 + 300,
      services: Object.fromEntries(
        names.map((name) => [name, { ...last.services.app, cpu_ns: 1e9 + i * 8.1e7 + (i % 7) * 1e6 }]),
      ),
      k6: { ...last.k6, cpu_ns: i * 15.3e7 },
      machine: { ...last.machine, cpu_ns: 1e12 + i * 40e7 },
    }),
  );
  return `${lines.join('\n')}\n`;
}
