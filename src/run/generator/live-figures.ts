import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { driverMetrics } from '../../suite/cases/tables.js';
import type { LiveFigures } from '../run-context.js';
import { addTrend, emptyHistogram, quantileOf } from './histogram.js';
import type { HistogramLine, ServicesLine, TimelineLine } from './results.js';

/** Bytes that are read of a file at a time: what a process writes in a second is less. */
const piece = 1 << 20;

/**
 * Follows what a load and its sampler write down each second, for people who wait. Nothing is read until somebody asks.
 * @param load folder: where services are sampled; folders: of the processes that make the load; native: they are of the
 *   native player
 * @returns p50_ms, p95_ms: of the slowest process
 */
export function liveFigures({
  folder,
  folders,
  native,
}: {
  folder: string;
  folders: readonly string[];
  native: boolean;
}): () => LiveFigures {
  const name = native ? 'histograms.ndjson' : 'timeline.ndjson';
  const files = folders.map((own) => ({
    lines: linesOf(join(own, name)),
    reader: native ? histogramReader() : timelineReader(),
  }));
  const services = { lines: linesOf(join(folder, 'services.ndjson')), reader: servicesReader() };
  return () => {
    for (const { lines, reader } of [...files, services]) for (const line of lines()) reader.read(JSON.parse(line));
    const all = files.map(({ reader }) => reader.figures);
    const slowest = (key: 'p50_ms' | 'p95_ms') =>
      all.reduce(
        (most, figures) => (figures[key] !== null && figures[key] > (most ?? 0) ? figures[key] : most),
        null as number | null,
      );
    const sum = (key: 'requests' | 'errors' | 'dropped') => all.reduce((total, figures) => total + figures[key], 0);
    return {
      p50_ms: slowest('p50_ms'),
      p95_ms: slowest('p95_ms'),
      requests: sum('requests'),
      errors: sum('errors'),
      dropped: sum('dropped'),
      cores: services.reader.cores,
    };
  };
}

/**
 * Reads the lines that a file has got since it was read last.
 * @returns none where it is not there yet
 */
function linesOf(path: string): () => string[] {
  let from = 0;
  let rest = Buffer.alloc(0);
  return () => {
    const buffer = Buffer.alloc(piece);
    try {
      const fd = openSync(path, 'r');
      try {
        const read = readSync(fd, buffer, 0, piece, from);
        from += read;
        rest = Buffer.concat([rest, buffer.subarray(0, read)]);
      } finally {
        closeSync(fd);
      }
    } catch {
      return [];
    }
    const end = rest.lastIndexOf('\n') + 1;
    const lines = rest.toString('utf8', 0, end).split('\n').slice(0, -1);
    rest = rest.subarray(end);
    return lines;
  };
}

/** A response may have failed several expectations: no more errors than requests are shown. */
const failedExpectations = driverMetrics.failed_expectations.name;

/** Where nothing is known of a load. */
const nothing = (): Omit<LiveFigures, 'cores'> => ({ p50_ms: null, p95_ms: null, requests: 0, errors: 0, dropped: 0 });

export const noFigures = (): LiveFigures => ({ ...nothing(), cores: {} });

/** Reads k6's own recorder: reports/lib/reduce/timeline.jq describes its lines. */
function timelineReader() {
  const figures = nothing();
  let statistics: string[] = [];
  let names: string[] = [];
  return {
    figures,
    read(line: TimelineLine) {
      if (line.event === 'param') statistics = line.data.aggregates.trend;
      if (line.event === 'metric') names = [...names, ...Object.keys(line.data)].sort();
      if (line.event !== 'snapshot') return;
      const { data } = line;
      const found = (name: string, index = 0) => data[names.indexOf(name)]?.[index];
      const requests = found('http_reqs') ?? 0;
      const time = (name: string) => found('http_req_duration', statistics.indexOf(name));
      figures.p50_ms = time('med') ?? figures.p50_ms;
      figures.p95_ms = time('p(95)') ?? figures.p95_ms;
      figures.requests += requests;
      const failed = Math.round((found('http_req_failed') ?? 0) * requests) + (found(failedExpectations) ?? 0);
      figures.errors += Math.min(requests, failed);
      figures.dropped += found('dropped_iterations') ?? 0;
    },
  };
}

/** Reads the native player's histograms: k6/native/README.md describes its lines. */
function histogramReader() {
  const figures = nothing();
  let subBits = 0;
  let second = { latency: emptyHistogram(), requests: 0, failed: 0 };
  return {
    figures,
    read({ sub_bits, total, users, counts = {}, times = {} }: HistogramLine) {
      subBits = sub_bits ?? subBits;
      if (total) return;
      second.requests += counts.http_reqs ?? 0;
      second.failed += (counts.http_req_failed ?? 0) + (counts[failedExpectations] ?? 0);
      figures.dropped += counts.dropped_iterations ?? 0;
      if (times.http_req_duration) addTrend(second.latency, times.http_req_duration);
      if (users === undefined) return;
      figures.p50_ms = quantileOf(second.latency, 50, subBits) ?? figures.p50_ms;
      figures.p95_ms = quantileOf(second.latency, 95, subBits) ?? figures.p95_ms;
      figures.requests += second.requests;
      figures.errors += Math.min(second.requests, second.failed);
      second = { latency: emptyHistogram(), requests: 0, failed: 0 };
    },
  };
}

/** Reads what the sampler writes: counters of CPU time, of which two lines make cores in use. */
function servicesReader() {
  const cores: Record<string, number> = {};
  let before: { t: number; cpu_ns: Record<string, number> } | null = null;
  return {
    cores,
    read({ t, services, k6 }: ServicesLine) {
      const cpu_ns = Object.fromEntries(
        Object.entries({ ...services, ...(k6 ? { k6 } : {}) }).map(([name, usage]) => [name, usage.cpu_ns]),
      );
      for (const [name, now] of Object.entries(cpu_ns)) {
        const then = before?.cpu_ns[name];
        if (before && then !== undefined && t > before.t)
          cores[name] = Math.max(0, now - then) / ((t - before.t) * 1e6);
      }
      before = { t, cpu_ns };
    },
  };
}
