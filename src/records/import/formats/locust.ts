import { FileProblem, short } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, type ReadFile, type Round, withExpected } from '../round/round.js';
import { eachRow } from '../round/round-rows.js';

type Row = {
  type: string;
  name: string;
  requests: number;
  failures: number;
  median: number;
  mean: number;
  min: number;
  max: number;
  size: number;
  rps: number;
  points: [number, number][];
};

/** Each column by its name today, and before Locust 1.0. */
const columns = {
  requests: ['Request Count', '# requests'],
  failures: ['Failure Count', '# failures'],
  median: ['Median Response Time', 'Median response time'],
  mean: ['Average Response Time', 'Average response time'],
  min: ['Min Response Time', 'Min response time'],
  max: ['Max Response Time', 'Max response time'],
  size: ['Average Content Size'],
  rps: ['Requests/s'],
} as const;

export const isLocust = (begin: string) =>
  /^\ufeff?"?(Type|Method)"?,"?Name"?,"?(Request Count|# requests)"?,/.test(begin);

/** Locust's table of requests (locust --csv shop: shop_stats.csv), with its row of all. */
export async function readLocust({ path }: ReadFile): Promise<Round> {
  const rows: Row[] = [];
  let head: string[] = [];
  await eachRow(path, { delimiter: ',' }, (row, line) => {
    if (line === 1) head = row;
    else rows.push(rowOf(row, head, line));
  });
  const total = rows.find(({ name }) => name === 'Aggregated' || name === 'Total');
  if (!total) throw new FileProblem('has no row "Aggregated": it is truncated');
  if (total.requests === 0) throw new FileProblem('has no requests');
  if (total.rps === 0) throw new FileProblem('has requests at 0/s: it does not say how long the run was');
  const seconds = total.requests / total.rps;
  const named = rows.filter((row) => row !== total && row.requests > 0);
  return {
    tool: 'Locust',
    time: null,
    seconds,
    counts: countsOf(total),
    latency: latencyOf(total),
    requests: Object.fromEntries(
      named.map((row) => [`${row.type} ${row.name}`.trim(), { counts: countsOf(row), latency: latencyOf(row) }]),
    ),
    groups: {},
    findings: findingsOf(
      finding(
        'locust-times',
        'info',
        'Locust rounds times to two digits before it counts them: its percentiles are off by up to 5 %. Failed requests are among them.',
      ),
      finding(
        'locust-load',
        'info',
        'A user of Locust sends its next request after the response (a closed loop): requests that a stall held back were never sent, and are in no latency.',
      ),
    ),
  };
}

function rowOf(row: string[], head: string[], line: number): Row {
  if (row.length !== head.length) throw new FileProblem(`has ${row.length} of ${head.length} columns`, line);
  const number = (key: keyof typeof columns) => {
    const known = columns[key].find((name) => head.includes(name));
    if (known === undefined)
      throw new FileProblem(`does not name the columns of Locust: there is no "${columns[key][0]}"`, 1);
    return numberOf(row[head.indexOf(known)], known, line);
  };
  const points = head.flatMap((name, i) => {
    const p = /^(\d+(?:\.\d+)?)%$/.exec(name)?.[1];
    return p === undefined || row[i] === 'N/A' || row[i] === ''
      ? []
      : [[Number(p), numberOf(row[i], name, line)] as [number, number]];
  });
  return {
    type: row[0],
    name: row[1],
    requests: number('requests'),
    failures: number('failures'),
    median: number('median'),
    mean: number('mean'),
    min: number('min'),
    max: number('max'),
    size: number('size'),
    rps: number('rps'),
    points,
  };
}

function numberOf(text: string, name: string, line: number) {
  if (!/^\d{1,15}(\.\d+)?(e[+-]?\d{1,2})?$/.test(text))
    throw new FileProblem(`has "${short(text)}" in the column "${name}", where a number belongs`, line);
  return Number(text);
}

const countsOf = ({ requests, failures, size }: Row) =>
  withExpected({ requests, errors: failures, received_bytes: size * requests });

/** A percentile that is rounded may lie beyond the exact extremes. */
function latencyOf({ requests, mean, min, max, median, points }: Row) {
  const within = (value: number) => Math.min(Math.max(value, min), max);
  const known = points.filter(([p]) => p > 0 && p < 100).map(([p, value]) => [p, within(value)] as [number, number]);
  return distributionOf(requests, mean, [[0, min], [50, within(median)], ...known, [100, max]]);
}
