import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { FileProblem, short } from '../round/file-problem.js';
import {
  distributionOf,
  type Finding,
  finding,
  findingsOf,
  isoTime,
  type ReadFile,
  type Round,
  withExpected,
} from '../round/round.js';
import { eachRow } from '../round/round-rows.js';
import { countsOf, distributionOfSamples, ruleOfK6, Samples, unnamed } from '../round/samples.js';
import { count, holdsShape, mapOf } from '../round/shape.js';
import { eachGobResult } from './vegeta-gob.js';

/** What one result says. ms and fromMs: milliseconds; code 0: there was no response. */
type Result = { fromMs: number; ms: number; code: number; error: string; received: number; sent: number; name: string };

/** Is this the beginning of results of vegeta, or of its report? */
export const isVegeta = (begin: string) =>
  isReport(begin) || isBinary(begin) || /^\{"attack":/.test(begin) || /^\d{19},\d+,\d+,\d+,\d+,/.test(begin);

const isReport = (begin: string) => /^\s*\{\s*"latencies"\s*:\s*\{\s*"total"/.test(begin);

/** A gob defines its type first. */
const isBinary = (begin: string) =>
  begin.includes('\0') && /Result[\s\S]{1,80}Timestamp[\s\S]{1,20}Latency/.test(begin.slice(0, 400));

/** Results of vegeta: as `vegeta attack` writes them, or `vegeta encode` as JSON or CSV; or `vegeta report -type=json`. */
export async function readVegeta(file: ReadFile): Promise<Round> {
  if (isReport(file.begin)) return roundOfReport(await file.text());
  const samples = new Samples();
  let clientErrors = 0;
  await eachResult(file, (result) => {
    const lost = result.code === 0;
    if (result.code >= 400 && result.code < 500) clientErrors += 1;
    samples.add(result.name, {
      fromMs: result.fromMs,
      ms: result.ms,
      failed: lost || result.error !== '' || result.code >= 500,
      lost,
      badStatus: !lost && result.code >= 400,
      received: result.received,
      sent: result.sent,
      users: null,
    });
  });
  if (samples.size === 0) throw new FileProblem('has no results');
  const all = samples.all;
  return {
    tool: 'vegeta',
    time: isoTime(all.fromMs),
    seconds: (all.toMs - all.fromMs) / 1000,
    counts: { ...countsOf(all), status_errors: all.badStatus },
    latency: distributionOfSamples(all, ruleOfK6),
    requests: samples.requests(ruleOfK6),
    groups: {},
    findings: findingsOf(
      ...findingsOfVegeta("Percentiles are of all results, by k6's rule; vegeta's own are estimated (t-digest)."),
      clientErrors > 0 &&
        finding(
          'vegeta-client-errors',
          'info',
          `${clientErrors} of ${all.count} responses had a status from 400 to 499, which vegeta counts as failed.`,
        ),
      samples.joinedFinding('addresses'),
    ),
  };
}

async function eachResult({ path, begin, progress }: ReadFile, take: (result: Result) => void) {
  if (isBinary(begin)) {
    const nameOf = namer();
    eachGobResult(await readFile(path), (result) =>
      take({
        fromMs: result.Timestamp ?? 0,
        ms: (result.Latency ?? 0) / 1e6,
        code: result.Code ?? 0,
        error: result.Error ?? '',
        received: result.BytesIn ?? 0,
        sent: result.BytesOut ?? 0,
        name: nameOf(result.Method, result.URL),
      }),
    );
  } else if (begin.startsWith('{')) await eachJson(path, take, progress);
  else await eachCsv(path, take, progress);
}

const schema = {
  type: 'object',
  required: ['timestamp', 'latency', 'code'],
  properties: {
    timestamp: { type: 'string' },
    latency: count,
    code: count,
    bytes_in: count,
    bytes_out: count,
    error: { type: 'string' },
    method: { type: 'string' },
    url: { type: 'string' },
  },
};

async function eachJson(path: string, take: (result: Result) => void, progress: (bytes: number) => void = () => {}) {
  const nameOf = namer();
  const input = createReadStream(path);
  input.on('data', () => progress(input.bytesRead));
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      line += 1;
      if (text === '') continue;
      const result = parsed(text, line, schema);
      const fromMs = exactTime(result.timestamp);
      if (Number.isNaN(fromMs)) throw new FileProblem(`has no time: "${short(result.timestamp)}"`, line);
      take({
        fromMs,
        ms: result.latency / 1e6,
        code: result.code,
        error: result.error ?? '',
        received: result.bytes_in ?? 0,
        sent: result.bytes_out ?? 0,
        name: nameOf(result.method, result.url),
      });
    }
  } finally {
    input.destroy();
  }
}

/**
 * To the nanosecond, where Date has milliseconds.
 * @returns milliseconds since 1970
 */
const exactTime = (text: string): number => Date.parse(text) + Number(`0.${/\.\d{3}(\d+)/.exec(text)?.[1] ?? 0}`);

function parsed(text: string, line: number | null, shape: object) {
  try {
    const value = JSON.parse(text);
    holdsShape(value, shape, 'vegeta');
    return value;
  } catch (error) {
    throw new FileProblem(error instanceof FileProblem ? error.message : 'is truncated or damaged', line);
  }
}

/** timestamp, code, latency, bytes out, bytes in, error, body, attack, number, method, url, headers. */
async function eachCsv(path: string, take: (result: Result) => void, progress?: (bytes: number) => void) {
  const nameOf = namer();
  await eachRow(
    path,
    { delimiter: ',' },
    (row, line) => {
      const wrong = row.slice(0, 5).find((text) => !/^\d{1,19}$/.test(text));
      if (row.length < 6 || wrong !== undefined)
        throw new FileProblem(`has "${short(wrong ?? row.join())}" where a result of vegeta belongs`, line);
      take({
        fromMs: Number(row[0]) / 1e6,
        ms: Number(row[2]) / 1e6,
        code: Number(row[1]),
        error: row[5],
        received: Number(row[4]),
        sent: Number(row[3]),
        name: nameOf(row[9], row[10]),
      });
    },
    progress,
  );
}

/** Method and path, without the query. One text for all that are equal. */
function namer() {
  const names: Map<string, string> = new Map();
  return (method: string | undefined, url: string | undefined) => {
    if (!url) return unnamed; // of older ones
    const key = `${method} ${url}`;
    const known = names.get(key);
    if (known) return known;
    const name = `${method || 'GET'} ${url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '') || '/'}`;
    if (names.size < 100_000) names.set(key, name);
    return name;
  };
}

/** What vegeta's numbers mean. */
const findingsOfVegeta = (percentiles: string): Finding[] => [
  finding(
    'vegeta-rate',
    'info',
    `vegeta sends at a rate, and its latencies are from when a request was really sent: the delay of a late start is in none of them. Requests/s here are all requests by the time to the last response. ${percentiles}`,
  ),
];

const report = {
  type: 'object',
  required: ['latencies', 'requests', 'success', 'earliest', 'duration', 'wait'],
  properties: {
    latencies: mapOf(count),
    requests: count,
    success: { type: 'number', minimum: 0, maximum: 1 },
    earliest: { type: 'string' },
    duration: count,
    wait: count,
    bytes_in: mapOf(count),
    bytes_out: mapOf(count),
    status_codes: mapOf(count),
  },
};

function roundOfReport(text: string): Round {
  const value = parsed(text, null, report);
  const { latencies, requests, success, earliest, duration, wait, bytes_in: received, bytes_out: sent } = value;
  if (requests === 0) throw new FileProblem('has no requests');
  const from = Date.parse(earliest);
  if (Number.isNaN(from)) throw new FileProblem('does not say when it began');
  const ms = (name: string) => (latencies[name] === undefined ? null : latencies[name] / 1e6);
  return {
    tool: 'vegeta',
    time: isoTime(from),
    seconds: (duration + wait) / 1e9,
    counts: withExpected({
      requests,
      errors: Math.round(requests * (1 - success)),
      network_errors: value.status_codes?.['0'] ?? 0,
      received_bytes: received?.total ?? null,
      sent_bytes: sent?.total ?? null,
    }),
    latency: distributionOf(requests, ms('mean'), [
      [0, ms('min')],
      [50, ms('50th')],
      [90, ms('90th')],
      [95, ms('95th')],
      [99, ms('99th')],
      [100, ms('max')],
    ]),
    requests: {},
    groups: {},
    findings: findingsOfVegeta('Percentiles are as vegeta estimates them (t-digest).'),
  };
}
