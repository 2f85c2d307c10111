import { FileProblem, short } from '../round/file-problem.js';
import { type Response, roundOfResponses } from '../round/responses.js';
import { distributionOf, finding, findingsOf, type ReadFile, type Round } from '../round/round.js';
import { count, holdsShape, isJson as isJsonText, mapOf, maybeNumber } from '../round/shape.js';
import { countsByStatus, type Statuses, statusFinding } from '../round/statuses.js';

/**
 * What oha sums up, of its JSON or its text. min, max, mean: ms; points: percentages with ms; lost: requests without a response.
 */
type Summary = {
  seconds: number;
  statuses: Statuses;
  lost: number;
  min: number | null;
  max: number | null;
  mean: number | null;
  points: [percent: number, ms: number | null][];
  received: number | null;
};

/** What oha calls requests that its own end cut off: they are none of the service's. */
const cutOff = 'aborted due to deadline';

const schema = {
  type: 'object',
  required: ['summary', 'latencyPercentiles', 'statusCodeDistribution', 'errorDistribution'],
  properties: {
    summary: {
      type: 'object',
      required: ['total'],
      properties: { total: count, slowest: maybeNumber, fastest: maybeNumber, average: maybeNumber, totalData: count },
    },
    latencyPercentiles: mapOf(maybeNumber),
    statusCodeDistribution: mapOf(count),
    errorDistribution: mapOf(count),
  },
};

export const isOha = (begin: string) =>
  isCsv(begin) || isJson(begin) || /^\s*Summary:\r?\n +Success rate:\t/.test(begin);

const isJson = (begin: string) => /^\s*\{\s*"summary"\s*:\s*\{\s*"successRate"/.test(begin);

const isCsv = (begin: string) => begin.startsWith('request-start,DNS,DNS+dialup,Response-delay,request-duration,');

/** What oha prints, its JSON (--output-format json) or its CSV. */
export async function readOha(file: ReadFile): Promise<Round> {
  if (isCsv(file.begin)) return roundOfResponses(file, { tool: 'oha', responseOf, findings: [load] });
  const text = await file.text();
  return roundOf(isJson(file.begin) ? summaryOfJson(text) : summaryOfText(text));
}

function roundOf({ seconds, statuses, lost, min, max, mean, points, received }: Summary): Round {
  const responses = statuses.reduce((sum, [, times]) => sum + times, 0);
  if (responses + lost === 0) throw new FileProblem('has no requests');
  return {
    tool: 'oha',
    time: null,
    seconds,
    counts: countsByStatus(statuses, lost, received),
    latency: distributionOf(responses, mean, [[0, min], ...points, [100, max]]),
    requests: {},
    groups: {},
    findings: findingsOf(load, statusFinding('oha', statuses, responses)),
  };
}

const load = finding(
  'oha-load',
  'info',
  'Without a rate (-q), or with one and without --latency-correction, a worker of oha sends its next request after the response: the wait of requests that a stall held back is in no latency. The file does not say how it was measured.',
);

function summaryOfJson(text: string): Summary {
  if (!isJsonText(text)) throw new FileProblem('is truncated or damaged');
  const value = JSON.parse(text);
  holdsShape(value, schema, 'oha');
  const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution } = value as any;
  const ms = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1000);
  return {
    seconds: summary.total,
    statuses: Object.entries(statusCodeDistribution),
    lost: lostOf(Object.entries(errorDistribution)),
    min: ms(summary.fastest),
    max: ms(summary.slowest),
    mean: ms(summary.average),
    points: Object.entries<number>(latencyPercentiles).flatMap(([name, value]) => {
      const p = /^p(\d+(?:\.\d+)?)$/.exec(name)?.[1];
      return p === undefined ? [] : [[Number(p), ms(value)]];
    }),
    received: summary.totalData ?? null,
  };
}

const lostOf = (errors: [error: string, times: number][]) =>
  errors.reduce((sum, [error, times]) => (error === cutOff ? sum : sum + times), 0);

/** How many milliseconds oha's units have. */
const units = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['ms', 1],
  ['sec', 1000],
  ['10 sec', 10_000],
  ['min', 60_000],
  ['10 min', 600_000],
  ['hr', 3_600_000],
]);
const time = '([\\d.]+|NaN|-?inf) ((?:10 )?[a-z]+)';

function summaryOfText(text: string): Summary {
  const named = (name: string) => {
    const found = new RegExp(`^ +${name}:\t${time}\r?$`, 'm').exec(text);
    return found && msOf(found[1], found[2]);
  };
  const total = named('Total');
  if (total === null) throw new FileProblem('is truncated: there is no line "Total"');
  const points = [...text.matchAll(new RegExp(`^ +([\\d.]+)% in ${time}\r?$`, 'gm'))];
  return {
    seconds: total / 1000,
    statuses: [...text.matchAll(/^ +\[(\d{3})\] (\d+) responses\r?$/gm)].map(([, code, times]) => [
      code,
      Number(times),
    ]),
    lost: lostOf(
      [...text.slice(text.indexOf('Error distribution:')).matchAll(/^ +\[(\d+)\] (.*?)\r?$/gm)]
        .filter(([, , error]) => !/^\d+ responses$/.test(error))
        .map(([, times, error]) => [error, Number(times)]),
    ),
    min: named('Fastest'),
    max: named('Slowest'),
    mean: named('Average'),
    points: points.map(([, p, value, unit]) => [Number(p), msOf(value, unit)]),
    received: null, // rounded to a unit
  };
}

/** @returns null: of nothing */
function msOf(value: string, unit: string): number | null {
  const factor = units.get(unit);
  if (factor === undefined) throw new FileProblem(`has a time in "${short(unit)}", which is no unit of oha`);
  const number = Number(value) * factor;
  return Number.isFinite(number) ? number : null;
}

/** The columns that are read. */
const numbers = [0, 4, 5, 6];

function responseOf(row: string[]): Response | null {
  if (row.length !== 7 || numbers.some((i) => !/^\d+(\.\d+)?(e-?\d+)?$/.test(row[i]))) return null;
  const [start, , , , duration, bytes, code] = row;
  return { fromMs: Number(start) * 1000, ms: Number(duration) * 1000, code, received: Number(bytes) };
}
