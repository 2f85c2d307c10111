import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { Rejected } from '../collect/spec-problem.js';
import type { Chart } from './chart.js';
import { ownChart } from './custom/own-chart.js';
import { histogram } from './histogram-chart.js';
import { distribution } from './latency-distribution.js';
import { sweep } from './sweep-chart.js';
import { timeCharts } from './time.js';

/**
 * The charts that a wish of a spec gives: none when there is nothing to draw, several when it has several units over
 * time.
 * @param entries the cases to draw
 * @param nameOf a version's name
 * @throws {Rejected} it cannot be drawn, whatever was measured
 */
export function declaredCharts(
  wish: ChartSpec,
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): (Chart | null)[] {
  const { type = 'line', x, y } = wish;
  if (type === 'distribution') return [distribution(wish, entries, nameOf)];
  if (type === 'histogram') return [histogram(wish, entries, nameOf)];
  if (type === 'vega-lite') return [ownChart(wish, entries, names, nameOf)];
  if (y === undefined) throw new Rejected(`the chart ${called(wish)} has no y`);
  if (type === 'time') return timeCharts({ ...wish, y }, entries, names, nameOf);
  if (x === undefined) throw new Rejected(`the chart ${called(wish)} has no x`);
  return [sweep({ ...wish, x, y }, entries, names, nameOf)];
}

const called = ({ title, type = 'line' }: ChartSpec) => (title ? `"${title}"` : `of type "${type}"`);
