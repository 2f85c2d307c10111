import { FileProblem, short } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, withExpected } from '../round/round.js';
import { eachRow } from '../round/round-rows.js';

/** @import { ReadFile, Round } from '../round/round.js' */

/** @typedef {{ type: string, name: string, requests: number, failures: number, median: number, mean: number, min: number, max: number, size: number, rps: number, points: [number, number][] }} Row */

/** Each column by its name today, and before Locust 1.0. */
const columns = /** @type {const} */ ({
  requests: ['Request Count', '# requests'],
  failures: ['Failure Count', '# failures'],
  median: ['Median Response Time', 'Median response time'],
  mean: ['Average Response Time', 'Average response time'],
  min: ['Min Response Time', 'Min response time'],
  max: ['Max Response Time', 'Max response time'],
  size: ['Average Content Size'],
  rps: ['Requests/s'],
});

/** @param {string} begin */
export const isLocust = (begin) => /^\ufeff?"?(Type|Method)"?,"?Name"?,"?(Request Count|# requests)"?,/.test(begin);

/**
 * Locust's table of requests (locust --csv shop: shop_stats.csv), with its row of all.
 * @param {ReadFile} file
 * @returns {Promise<Round>}
 */
export async function readLocust({ path }) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  let head = [];
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
        'A user of Locust sends its next request after the response (a closed loop): what a stall held back was never sent, and is in no latency.',
      ),
    ),
  };
}

/** @param {string[]} row @param {string[]} head @param {number} line @returns {Row} */
function rowOf(row, head, line) {
  if (row.length !== head.length) throw new FileProblem(`has ${row.length} of ${head.length} columns`, line);
  const number = (/** @type {keyof typeof columns} */ key) => {
    const known = columns[key].find((name) => head.includes(name));
    if (known === undefined)
      throw new FileProblem(`does not name the columns of Locust: there is no "${columns[key][0]}"`, 1);
    return numberOf(row[head.indexOf(known)], known, line);
  };
  const points = head.flatMap((name, i) => {
    const p = /^(\d+(?:\.\d+)?)%$/.exec(name)?.[1];
    return p === undefined || row[i] === 'N/A' || row[i] === ''
      ? []
      : [/** @type {[number, number]} */ ([Number(p), numberOf(row[i], name, line)])];
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

/** @param {string} text @param {string} name @param {number} line */
function numberOf(text, name, line) {
  if (!/^\d{1,15}(\.\d+)?(e[+-]?\d{1,2})?$/.test(text))
    throw new FileProblem(`has "${short(text)}" in the column "${name}", where a number belongs`, line);
  return Number(text);
}

/** @param {Row} row */
const countsOf = ({ requests, failures, size }) =>
  withExpected({ requests, errors: failures, received_bytes: size * requests });

/** A percentile that is rounded may lie beyond the exact extremes. @param {Row} row */
function latencyOf({ requests, mean, min, max, median, points }) {
  const within = (/** @type {number} */ value) => Math.min(Math.max(value, min), max);
  const known = points
    .filter(([p]) => p > 0 && p < 100)
    .map(([p, value]) => /** @type {[number, number]} */ ([p, within(value)]));
  return distributionOf(requests, mean, [[0, min], [50, within(median)], ...known, [100, max]]);
}
