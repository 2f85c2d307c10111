import { FileProblem } from '../round/file-problem.js';
import { type Response, roundOfResponses } from '../round/responses.js';
import { distributionOf, finding, findingsOf, type ReadFile, type Round } from '../round/round.js';
import { countsByStatus, statusFinding } from '../round/statuses.js';

export const isHey = (begin: string) =>
  isCsv(begin) || /^\s*Summary:\n +Total:\t[\d.]+ secs\n/.test(begin.replaceAll('\r', ''));

const isCsv = (begin: string) => begin.startsWith('response-time,DNS+dialup,DNS,');

const closedLoop = finding(
  'hey-closed-loop',
  'warn',
  'hey sends the next request of a worker after the response (a closed loop) and does not correct for it: requests that a stall held back were never sent, so the high percentiles are too low.',
);

/** What hey prints, or its CSV (-o csv). */
export const readHey = async (file: ReadFile): Promise<Round> =>
  isCsv(file.begin)
    ? roundOfResponses(file, {
        tool: 'hey',
        responseOf,
        times: ', and times to a tenth of a millisecond',
        findings: [closedLoop],
      })
    : roundOfText(await file.text());

function roundOfText(text: string): Round {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  const seconds = number(/^ +Total:\t([\d.]+) secs$/m);
  const mean = number(/^ +Average:\t([\d.]+) secs$/m);
  if (seconds === null || mean === null) throw new FileProblem('is truncated: there is no line "Total" or "Average"');
  const statuses = listOf(text, 'Status code distribution:', /^ +\[(\d{3})\]\t(\d+) responses$/).map(
    ([code, times]) => [code, Number(times)] as [string, number],
  );
  const lost = listOf(text, 'Error distribution:', /^ +\[(\d+)\]\t(.*)$/).reduce(
    (sum, [times]) => sum + Number(times),
    0,
  );
  const responses = statuses.reduce((sum, [, times]) => sum + times, 0);
  if (responses + lost === 0) throw new FileProblem('has no requests');
  const points = [...text.matchAll(/^ +(\d+)%%? in ([\d.]+) secs$/gm)].map(
    ([, p, value]) => [Number(p), Number(value) * 1000] as [number, number],
  );
  const [fastest, slowest] = [number(/^ +Fastest:\t([\d.]+) secs$/m), number(/^ +Slowest:\t([\d.]+) secs$/m)];
  const ms = (value: number | null) => (value === null ? null : value * 1000);
  return {
    tool: 'hey',
    time: null,
    seconds,
    counts: countsByStatus(statuses, lost, number(/^ +Total data:\t(\d+) bytes$/m)),
    latency: distributionOf(responses, mean * 1000, [[0, ms(fastest)], ...points, [100, ms(slowest)]]),
    requests: {},
    groups: {},
    findings: findingsOf(closedLoop, statusFinding('hey', statuses, responses)),
  };
}

/** The lines below a heading. */
function listOf(text: string, heading: string, pattern: RegExp): string[][] {
  const lines = text.split(/\r?\n/);
  const from = lines.indexOf(heading);
  if (from < 0) return [];
  const until = lines.findIndex((line, i) => i > from && line.trim() === '');
  return lines.slice(from + 1, until < 0 ? undefined : until).flatMap((line) => {
    const match = pattern.exec(line);
    return match ? [match.slice(1)] : [];
  });
}

const decimal = /^\d+(\.\d+)?$/;

function responseOf(row: string[]): Response | null {
  const [time, code, offset] = [row[0], row[6], row[7]];
  if (row.length !== 8 || !decimal.test(time) || !/^\d{3}$/.test(code) || !decimal.test(offset)) return null;
  return { fromMs: Number(offset) * 1000, ms: Number(time) * 1000, code, received: null };
}
