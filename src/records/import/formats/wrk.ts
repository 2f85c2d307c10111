import { FileProblem } from '../round/file-problem.js';
import { type Finding, finding, findingsOf, type ReadFile, type Round } from '../round/round.js';

type Point = [percent: number, ms: number];

const millis = { us: 0.001, ms: 1, s: 1000, m: 60000, h: 3600000 } as const;

/** "18.25ms" is 18.25. */
function msOf(text: string) {
  const [, number, unit] = /^([0-9.]+)(us|ms|s|m|h)$/.exec(text) ?? [];
  if (!unit) throw new FileProblem(`has "${text}" where a time belongs`);
  return Number(number) * millis[unit as keyof typeof millis];
}

/** "43.44KB" is 44482.56. */
function bytesOf(text: string) {
  const [, number, unit] = /^([0-9.]+)([KMGTP]?)B$/.exec(text) ?? [];
  if (unit === undefined) throw new FileProblem(`has "${text}" where a number of bytes belongs`);
  return Number(number) * 1024 ** ' KMGTP'.indexOf(unit || ' ');
}

/** What wrk and wrk2 print. */
export async function readWrk({ text }: ReadFile): Promise<Round> {
  const lines = (await text()).split(/\r?\n/);
  const isWrk2 = lines.some((line) => /Thread calibration|HdrHistogram|Detailed Percentile/.test(line));
  const corrected = lines.some((line) => line.includes('HdrHistogram - Recorded Latency'));
  const uncorrectedAt = lines.findIndex((line) => line.includes('Uncorrected'));
  // wrk2 -U prints both: the corrected one counts, which is the first.
  const counted = corrected && uncorrectedAt >= 0 ? lines.slice(0, uncorrectedAt) : lines;
  const said = saidIn(lines);
  const points = spectrumOf(counted);
  const exact = points.length > 0;
  const known = (exact ? thinned(points) : percentilesOf(counted)).filter(([p]) => p !== 100);
  const all = [...known, [100, said.maxMs] as Point];
  return {
    tool: isWrk2 ? 'wrk2' : 'wrk',
    time: null,
    seconds: said.seconds,
    counts: {
      requests: said.responses + said.lost,
      errors: said.unexpected + said.lost,
      expected: said.responses - said.unexpected,
      status_errors: said.bad,
      network_errors: said.lost + said.socket.timeout,
      received_bytes: said.bytesPerSecond === null ? null : said.bytesPerSecond * said.seconds,
    },
    users_max: said.connections,
    latency: [
      { count: said.responses, mean: said.meanMs, exact, p: all.map(([p]) => p), values: all.map(([, ms]) => ms) },
    ],
    requests: {},
    groups: {},
    findings: findingsOf(loadFinding(isWrk2, uncorrectedAt < 0 || corrected), ...lostFindings(said)),
  };
}

/** The numbers of its text. */
function saidIn(lines: string[]) {
  const found = (pattern: RegExp) => {
    for (const line of lines) {
      const match = pattern.exec(line);
      if (match) return match.slice(1);
    }
    return null;
  };
  if (!found(/^Running [0-9.a-z]+ test @ .*$/))
    throw new FileProblem('does not begin like wrk\'s text: "Running 30s test @ …"');
  if (lines.filter((line) => /^Running .* test @ /.test(line)).length > 1)
    throw new FileProblem('has the text of several runs: split it, a file a run');
  const latency = found(/^ +Latency +([0-9.]+[a-z]+) +[0-9.]+[a-z]+ +([0-9.]+[a-z]+) /);
  const total = found(/^ +(\d+) requests in [0-9.]+[a-z]+, [0-9.]+[KMGTP]?B read$/);
  const rate = found(/^Requests\/sec: +([0-9.]+)$/);
  if (!latency || !total || !rate) {
    const missing = !latency ? '"Latency"' : !total ? '"… requests in …, … read"' : '"Requests/sec"';
    throw new FileProblem(`is truncated: there is no line ${missing}`);
  }
  const [responses, rps] = [Number(total[0]), Number(rate[0])];
  if (!(responses > 0) || !(rps > 0)) throw new FileProblem('has no requests: wrk completed none');
  const transfer = found(/^Transfer\/sec: +([0-9.]+[KMGTP]?B)$/);
  const bad = Number(found(/^ +Non-2xx or 3xx responses: (\d+)$/)?.[0] ?? 0);
  const [connect, read, write, timeout] = (
    found(/^ +Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$/) ?? [0, 0, 0, 0]
  ).map(Number);
  return {
    responses,
    seconds: responses / rps,
    meanMs: msOf(latency[0]),
    maxMs: msOf(latency[1]),
    connections: Number(found(/^ +\d+ threads? and (\d+) connections?$/)?.[0] ?? 0),
    bytesPerSecond: transfer ? bytesOf(transfer[0]) : null,
    bad,
    socket: { connect, read, write, timeout },
    lost: connect + read + write,
    unexpected: Math.min(bad + timeout, responses),
  };
}

/** "Latency Distribution". */
const percentilesOf = (lines: string[]): Point[] =>
  lines.flatMap((line) => {
    const [, p, value] = /^ +([0-9.]+)% +([0-9.]+(?:us|ms|s|m|h))$/.exec(line) ?? [];
    return value ? [[Number(p), msOf(value)] as Point] : [];
  });

/** wrk2's "Detailed Percentile spectrum": the last value of each percentage. */
function spectrumOf(lines: string[]): Point[] {
  const points: Map<number, number> = new Map();
  for (const line of lines) {
    const [, value, share] = /^ +([0-9.]+) +([01]\.[0-9]+) +[0-9]+ +(?:[0-9.]+|inf)$/.exec(line) ?? [];
    if (share) points.set(Math.round(Number(share) * 1e8) / 1e6, Number(value));
  }
  return [...points].sort(([a], [b]) => a - b);
}

/** Evenly thinned to what a record holds, both ends and the usual percentages kept. */
function thinned(points: Point[]): Point[] {
  if (points.length <= 101) return points;
  const at = new Set(Array.from({ length: 101 }, (_, i) => Math.round((i * (points.length - 1)) / 100)));
  const kept = points.filter(([p], i) => at.has(i) || [50, 90, 95, 99].includes(p));
  while (kept.length > 101) kept.splice(1, 1);
  return kept;
}

function loadFinding(isWrk2: boolean, corrected: boolean): Finding {
  if (!isWrk2)
    return finding(
      'wrk-closed-loop',
      'warn',
      'wrk sends the next request on a connection after the response (a closed loop) and does not correct for it: requests that a stall held back were never sent, so the high percentiles are too low.',
    );
  return finding(
    'wrk-constant-rate',
    'info',
    corrected
      ? "wrk2's latencies are from when a request was due by the target rate (coordinated omission is corrected), to about a millisecond."
      : "wrk2's latencies here are uncorrected (-U): from when a request was really sent, so that the wait of requests that a stall held back is in none of them.",
  );
}

const lostFindings = ({ socket, lost, responses }: ReturnType<typeof saidIn>) => [
  socket.timeout > 0 &&
    finding(
      'wrk-timeouts',
      'warn',
      `${socket.timeout} responses took longer than wrk's timeout: it counts them as errors, and they are in none of its latencies.`,
    ),
  lost > 0 &&
    finding(
      'wrk-socket-errors',
      'warn',
      `${lost} requests ended with an error of the socket (connect ${socket.connect}, read ${socket.read}, write ${socket.write}): they are requests here, and not in wrk's own count of ${responses}.`,
    ),
];
