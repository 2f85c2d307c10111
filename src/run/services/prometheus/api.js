import { ask } from './ask.js';

/** @import { PrometheusTarget } from './settings.js' */

/**
 * Why a query has no value.
 * @typedef {'empty' | 'nan' | 'several' | 'error' | 'timeout' | 'unreachable' | 'missing'} ProblemId
 * @typedef {{ id: ProblemId, text: string }} QueryProblem missing: there is no program `prometheus` to be started
 * @typedef {{ value: number | null, series: [number, number][] | null, problem: QueryProblem | null }} PrometheusAnswer series: epoch
 *   milliseconds and value
 *
 * What Prometheus answers with: one value or none of a scalar, series of a vector or a matrix.
 * @typedef {{ metric: Record<string, string>, value?: [number, string], values?: [number, string][] }} Series
 * @typedef {{ resultType?: 'vector' | 'matrix', result?: Series[] } | { resultType: 'scalar', result: [number, string] }} QueryData
 */

/** More points than that tell nothing more, and Prometheus refuses 11,000. */
const mostPoints = 500;

/**
 * Asks for a value at one moment.
 * @param {PrometheusTarget} target
 * @param {string} query
 * @param {number} at epoch milliseconds
 * @returns {Promise<PrometheusAnswer>}
 */
export async function askInstant(target, query, at) {
  const { data, problem } = await answerOf(target, 'query', { query, time: seconds(at) });
  if (problem) return nothing(problem);
  if (data?.resultType === 'scalar') return single(data.result[1]);
  const answer = onlyOne(data);
  return 'problem' in answer ? nothing(answer.problem) : single(answer.series.value?.[1]);
}

/**
 * Asks for all values of a time, and their mean.
 * @param {PrometheusTarget} target
 * @param {string} query
 * @param {{ from: number, to: number, interval_s: number }} window epoch milliseconds; interval_s: between two samples
 * @returns {Promise<PrometheusAnswer>}
 */
export async function askRange(target, query, { from, to, interval_s }) {
  const step = Math.max(interval_s, (to - from) / 1000 / mostPoints);
  const times = { start: seconds(from), end: seconds(to), step: String(step) };
  const { data, problem } = await answerOf(target, 'query_range', { query, ...times });
  if (problem) return nothing(problem);
  const answer = onlyOne(data);
  if ('problem' in answer) return nothing(answer.problem);
  const points = answer.series.values ?? [];
  // A share of nothing is NaN: there was nothing in that step.
  const series = points
    .map(([t, value]) => /** @type {[number, number]} */ ([Math.round(t * 1000), Number(value)]))
    .filter(([, value]) => Number.isFinite(value));
  if (series.length === 0) return nothing(points.length > 0 ? noNumber('NaN, all along') : histogram);
  return { value: series.reduce((sum, [, value]) => sum + value, 0) / series.length, series, problem: null };
}

/**
 * @param {PrometheusTarget} target
 * @param {'query' | 'query_range'} path
 * @param {Record<string, string>} form
 */
const answerOf = async (target, path, form) =>
  /** @type {{ data?: QueryData, problem?: QueryProblem }} */ (await ask(target, path, form));

/** @param {number} ms */
const seconds = (ms) => (ms / 1000).toFixed(3);

/** @param {QueryProblem} problem @returns {PrometheusAnswer} */
export const nothing = (problem) => ({ value: null, series: null, problem });

/** @param {string} found @returns {QueryProblem} */
const noNumber = (found) => ({ id: 'nan', text: `the value is ${found}` });

/** @type {QueryProblem} */
const histogram = {
  id: 'error',
  text: 'the result is a histogram: take histogram_quantile() or histogram_sum() of it',
};

/** @param {string | undefined} text @returns {PrometheusAnswer} */
function single(text) {
  if (text === undefined) return nothing(histogram);
  const value = Number(text);
  return Number.isFinite(value) ? { value, series: null, problem: null } : nothing(noNumber(text));
}

/**
 * @param {QueryData | undefined} data of an answer
 * @returns {{ series: Series } | { problem: QueryProblem }}
 */
function onlyOne(data) {
  if (data?.resultType !== 'vector' && data?.resultType !== 'matrix') {
    return { problem: { id: 'error', text: `the result is not a number but a ${data?.resultType ?? 'riddle'}` } };
  }
  const { result = [] } = data;
  if (result.length === 0) return { problem: { id: 'empty', text: 'no series was found' } };
  if (result.length === 1) return { series: result[0] };
  const [first, second] = result.map(({ metric }) => labelsOf(metric));
  const shown = `${first}, ${second}${result.length > 2 ? ', …' : ''}`;
  const text = `${result.length} series were found, and one is needed: ${shown}. Take sum(), avg() or max() of them`;
  return { problem: { id: 'several', text } };
}

/** @param {Record<string, string>} metric */
const labelsOf = ({ __name__ = '', ...labels }) =>
  `${__name__}{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`;
