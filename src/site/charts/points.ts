import type { Metric } from '../../../reports/schema/types.d.ts';
import type { Print } from '../../base/format.js';
import { rounded } from './chart.js';

/** A metric's value with the lowest and highest of its rounds, as printed; value and range are text. */
export type Extent = { y: number; low: number; high: number; value: string; range: string };

/** @param metric with a value */
export function extentOf({ value, samples }: Metric, print: Print): Extent {
  const all = [value, ...samples].filter((sample) => sample !== null).map((sample) => sample * print.factor);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const y = (value as number) * print.factor;
  return {
    y: number(y),
    low: number(low),
    high: number(high),
    value: print.format(y),
    range: low === high ? '–' : `${print.format(low)} to ${print.format(high)}`,
  };
}

const number = (value: number) => rounded(value) as number;

/** Points as a column set of a dataset. */
export const columnsOf = (points: Record<string, unknown>[]): Record<string, unknown[]> =>
  Object.fromEntries(Object.keys(points[0]).map((key) => [key, points.map((point) => point[key])]));

/** Only what counts is drawn. */
export const isDrawable = (metric: Metric | undefined) => metric?.valid === true && metric.value !== null;
