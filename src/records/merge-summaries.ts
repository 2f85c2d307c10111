import { driverMetrics } from '../suite/cases/tables.js';

type Values = Record<string, number | null>;

type Metric = { type: 'counter' | 'rate' | 'gauge' | 'trend'; contains: string; values: Values };

/** K6's, as summary.json has it. */
export type Summary = { metrics: Record<string, Metric> };

/** Gauges of how many users there are: those of several machines are together as many as their sum. */
const users = ['vus', 'vus_max'];

/**
 * The summary that one k6 would have left that did what several did together, but for quantiles: these are those of the merged
 * histograms. Times are those of the first's clock.
 */
export function mergeSummaries(summaries: readonly [Summary, ...Summary[]]): Summary {
  const [first] = summaries;
  const names = [...new Set(summaries.flatMap(({ metrics }) => Object.keys(metrics)))];
  const entries = names.map((name) => {
    const all = summaries.flatMap(({ metrics }) => metrics[name] ?? []);
    return [name, { type: all[0].type, contains: all[0].contains, values: together(name, all) }];
  });
  return { ...first, metrics: { ...Object.fromEntries(entries), ...endOf(summaries) } };
}

/** @param all of one type */
function together(name: string, all: readonly Metric[]): Values {
  const values = all.map((metric) => metric.values);
  const sum = (key: string) => values.reduce((total, of) => total + Number(of[key] ?? 0), 0);
  const most = () => Math.max(...values.map(({ max }) => Number(max)));
  const least = () => Math.min(...values.map(({ min }) => Number(min)));
  switch (all[0].type) {
    case 'counter':
      return { count: sum('count'), rate: sum('rate') };
    case 'rate': {
      const [passes, fails] = [sum('passes'), sum('fails')];
      return { passes, fails, rate: passes + fails > 0 ? passes / (passes + fails) : 0 };
    }
    case 'gauge':
      if (users.includes(name)) return { value: sum('value'), min: sum('min'), max: sum('max') };
      return name === driverMetrics.started.name ? values[0] : { value: values[0].value, min: least(), max: most() };
    case 'trend': {
      const some = values.filter(({ count }) => Number(count) > 0);
      if (some.length === 0) return values[0];
      const count = sum('count');
      const avg = some.reduce((total, of) => total + Number(of.avg) * Number(of.count), 0) / count;
      const quantiles = Object.keys(some[0]).map((key) => [key, null]);
      const [min, max] = [Math.min(...some.map((of) => Number(of.min))), Math.max(...some.map((of) => Number(of.max)))];
      return { ...Object.fromEntries(quantiles), count, avg, min, max };
    }
  }
}

/**
 * When the last iteration ended, by the first's clock: each machine's load took as long as it did.
 * @returns nothing where no iteration ended
 */
function endOf(summaries: readonly [Summary, ...Summary[]]): Record<string, Metric> {
  const { started, ended } = driverMetrics;
  const spans = summaries.flatMap(({ metrics }) => {
    const [from, to] = [metrics[started.name]?.values.min, metrics[ended.name]?.values.max];
    return typeof from === 'number' && typeof to === 'number' ? [to - from] : [];
  });
  const began = summaries[0].metrics[started.name]?.values.min;
  const like = summaries.map(({ metrics }) => metrics[ended.name]).find((metric) => metric !== undefined);
  if (spans.length === 0 || typeof began !== 'number' || !like) return {};
  const max = began + Math.max(...spans);
  return { [ended.name]: { ...like, values: { ...like.values, value: max, max } } };
}
