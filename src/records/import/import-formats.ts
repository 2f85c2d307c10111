import { readArtillery } from './formats/artillery.js';
import { readAutocannon } from './formats/autocannon.js';
import { isGatling, readGatling } from './formats/gatling.js';
import { isHey, readHey } from './formats/hey.js';
import { readJtl } from './formats/jmeter-jtl.js';
import { readStatistics } from './formats/jmeter-statistics.js';
import { readK6Summary } from './formats/k6-summary.js';
import { isLocust, readLocust } from './formats/locust.js';
import { isOha, readOha } from './formats/oha.js';
import { readPhout } from './formats/phout.js';
import { isVegeta, readVegeta } from './formats/vegeta.js';
import { readWrk } from './formats/wrk.js';
import type { ReadFile, Round } from './round/round.js';

/**
 * What can be imported. known: by what it is known, for people; looksLike: the same for its first kilobytes (of JSON, for the
 * value). read: text is read as it comes, JSON is given as a value. Only a recording has no `read`: it becomes a spec.
 */
type ImportFormat = { title: string; known: string } & (
  | { lines: true; looksLike: (begin: string) => boolean; read: (file: ReadFile) => Promise<Round> }
  | { lines: false; looksLike: (value: any) => boolean; read?: (value: unknown) => Round }
);

const firstLine = (begin: string) => begin.split('\n', 1)[0];

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const formats: Record<string, ImportFormat> = {
  'jmeter-jtl': {
    title: "JMeter's results (CSV)",
    known: 'its first line names the columns, timeStamp and elapsed among them',
    lines: true,
    looksLike: (begin) => /\btimeStamp\b/.test(firstLine(begin)) && /\belapsed\b/.test(firstLine(begin)),
    read: readJtl,
  },
  'jmeter-statistics': {
    title: "statistics.json of JMeter's report",
    known: 'it has Total, with a sampleCount',
    lines: false,
    looksLike: ({ Total }) => isObject(Total) && 'sampleCount' in Total,
    read: readStatistics,
  },
  artillery: {
    title: "Artillery's report (JSON)",
    known: 'it has "aggregate"',
    lines: false,
    looksLike: ({ aggregate }) => isObject(aggregate),
    read: readArtillery,
  },
  wrk: {
    title: 'what wrk or wrk2 printed',
    known: 'it has a line "Running 30s test @ http://…"',
    lines: true,
    looksLike: (begin) => /^Running .* test @ /m.test(begin),
    read: readWrk,
  },
  phout: {
    title: "Pandora's or Phantom's phout",
    known: 'its lines have twelve columns with tabs between them, the first a time like 1700000000.123',
    lines: true,
    looksLike: (begin) => /^\d{10}\.\d+\t[^\t]*(\t-?\d+){10}\r?$/.test(firstLine(begin)),
    read: readPhout,
  },
  'k6-summary': {
    title: "k6's summary (JSON)",
    known: 'it has metrics, with iterations or http_reqs',
    lines: false,
    looksLike: ({ metrics, results, schema }) =>
      schema === undefined &&
      ((isObject(metrics) && ('iterations' in metrics || 'http_reqs' in metrics)) || Array.isArray(results?.metrics)),
    read: readK6Summary,
  },
  vegeta: {
    title: 'results or the JSON report of vegeta',
    known: 'it is what vegeta attack or vegeta encode writes, or begins with {"latencies":{"total"',
    lines: true,
    looksLike: isVegeta,
    read: readVegeta,
  },
  hey: {
    title: 'what hey printed, or its CSV',
    known: 'it begins with "Summary:" and "Total:", or with response-time,DNS+dialup',
    lines: true,
    looksLike: isHey,
    read: readHey,
  },
  oha: {
    title: 'what oha printed, its JSON or its CSV',
    known:
      'it begins with "Summary:" and "Success rate:", with {"summary":{"successRate", or with request-start,DNS,DNS+dialup',
    lines: true,
    looksLike: isOha,
    read: readOha,
  },
  autocannon: {
    title: "autocannon's result (JSON)",
    known: 'it has connections, latency and requests, with a total',
    lines: false,
    looksLike: ({ connections, latency, requests }) =>
      typeof connections === 'number' && isObject(latency) && isObject(requests) && 'total' in requests,
    read: readAutocannon,
  },
  locust: {
    title: "Locust's table of requests (CSV)",
    known: 'its first line names the columns, Name and Request Count among them',
    lines: true,
    looksLike: isLocust,
    read: readLocust,
  },
  gatling: {
    title: "Gatling's simulation.log",
    known: 'its first line begins with RUN and a tab, or its first text is the version of Gatling 3',
    lines: true,
    looksLike: isGatling,
    read: readGatling,
  },
  har: {
    title: 'a HAR recording of a browser',
    known: 'it has log, with entries',
    lines: false,
    looksLike: ({ log }) => Array.isArray(log?.entries),
  },
};

/** More than this takes too much memory: a million lines of JTL are 116 MB. */
export const mostBytes = 250e6;

/**
 * What a file looks like by its beginning.
 * @param begin at least its first kilobytes
 * @param value of the whole file, if it is JSON
 * @returns a format, or words for a file of another kind; null: nothing that is known
 */
export function looksLike(begin: string, value?: unknown): string | null {
  const given = isObject(value) ? value : null;
  for (const [name, format] of Object.entries(formats)) {
    if (format.lines ? value === undefined && format.looksLike(begin) : given && format.looksLike(given)) return name;
  }
  return given ? otherJson(given) : otherText(begin);
}

function otherText(text: string) {
  if (/^\ufeff?\s*<\?xml|^\ufeff?\s*<testResults/.test(text))
    return "JMeter's XML (set jmeter.save.saveservice.output_format=csv)";
  if (/^\d{13}[,;\t]\d+[,;\t]/.test(firstLine(text)))
    return 'a JTL without the names of its columns (set jmeter.save.saveservice.print_field_names=true)';
  return null;
}

function otherJson(value: any) {
  if (Number.isInteger(value.schema) && value.metrics) return 'a record of benchfolio';
  if (value.type === 'Metric' || value.type === 'Point') return "k6's --out json (import the summary)";
  return null;
}
