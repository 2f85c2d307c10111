import { ask } from './ask.js';
import type { PrometheusTarget } from './settings.js';

/** Why a query has no value. */
type ProblemId = 'empty' | 'nan' | 'several' | 'error' | 'timeout' | 'unreachable' | 'missing';

/** Missing: there is no program `prometheus` to be started */
export type QueryProblem = { id: ProblemId; text: string };

/** series: epoch milliseconds and value */
export type PrometheusAnswer = {
  value: number | null;
  series: [number, number][] | null;
  problem: QueryProblem | null;
};

/** What Prometheus answers with: one value or none of a scalar, series of a vector or a matrix. */
type Series = { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] };

type QueryData =
  | { resultType?: 'vector' | 'matrix'; result?: Series[] }
  | { resultType: 'scalar'; result: [number, string] };

/** More points than that tell nothing more, and Prometheus refuses 11,000. */
const mostPoints = 500;

/**
 * Asks for a value at one moment.
 * @param at epoch milliseconds
 */
export async function askInstant(target: PrometheusTarget, query: string, at: number): Promise<PrometheusAnswer> {
  const { data, problem } = await answerOf(target, 'query', { query, time: seconds(at) });
  if (problem) return nothing(problem);
  if (data?.resultType === 'scalar') return single(data.result[1]);
  const answer = onlyOne(data);
  return 'problem' in answer ? nothing(answer.problem) : single(answer.series.value?.[1]);
}

/**
 * Asks for all values of a time, and their mean.
 * @param window epoch milliseconds; interval_s: between two samples
 */
export async function askRange(
  target: PrometheusTarget,
  query: string,
  { from, to, interval_s }: { from: number; to: number; interval_s: number },
): Promise<PrometheusAnswer> {
  const step = Math.max(interval_s, (to - from) / 1000 / mostPoints);
  const times = { start: seconds(from), end: seconds(to), step: String(step) };
  const { data, problem } = await answerOf(target, 'query_range', { query, ...times });
  if (problem) return nothing(problem);
  const answer = onlyOne(data);
  if ('problem' in answer) return nothing(answer.problem);
  const points = answer.series.values ?? [];
  // A share of nothing is NaN: there was nothing in that step.
  const series = points
    .map(([t, value]) => [Math.round(t * 1000), Number(value)] as [number, number])
    .filter(([, value]) => Number.isFinite(value));
  if (series.length === 0) return nothing(points.length > 0 ? noNumber('NaN, all along') : histogram);
  return { value: series.reduce((sum, [, value]) => sum + value, 0) / series.length, series, problem: null };
}

const answerOf = async (target: PrometheusTarget, path: 'query' | 'query_range', form: Record<string, string>) =>
  (await ask(target, path, form)) as { data?: QueryData; problem?: QueryProblem };

const seconds = (ms: number) => (ms / 1000).toFixed(3);

export const nothing = (problem: QueryProblem): PrometheusAnswer => ({ value: null, series: null, problem });

const noNumber = (found: string): QueryProblem => ({ id: 'nan', text: `the value is ${found}` });

const histogram: QueryProblem = {
  id: 'error',
  text: 'the result is a histogram: take histogram_quantile() or histogram_sum() of it',
};

function single(text: string | undefined): PrometheusAnswer {
  if (text === undefined) return nothing(histogram);
  const value = Number(text);
  return Number.isFinite(value) ? { value, series: null, problem: null } : nothing(noNumber(text));
}

/** @param data of an answer */
function onlyOne(data: QueryData | undefined): { series: Series } | { problem: QueryProblem } {
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

const labelsOf = ({ __name__ = '', ...labels }: Record<string, string>) =>
  `${__name__}{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`;
