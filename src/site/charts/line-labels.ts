import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { differing, differingWithin, whoIs } from '../model/shown-cases.js';

/**
 * What a line of a chart stands for.
 */

/**
 * The declared series comes first; then whatever else the cases differ in, for no line may jump between two cases.
 * @param nameOf a version's name
 * @returns '' where there is one line only
 */
export function lineNamer(
  { x, series }: ChartSpec,
  entries: Entry[],
  nameOf: (entry: Entry) => string,
): (entry: Entry) => string {
  const own = series === undefined ? [] : [series];
  const isMetric = x !== undefined && !places.includes(x) && !entries.some(({ record }) => x in record.values);
  const apart = x !== undefined && places.includes(x) ? differingWithin(entries, [x, ...own]) : differing(entries);
  // Against a metric, the swept values are what leads along the line.
  const rest = apart.filter(
    (dimension) => dimension !== x && dimension !== series && (!isMetric || places.includes(dimension)),
  );
  return (entry) => whoIs(entry, [...own, ...rest], nameOf);
}

/** Dimensions that every case has. */
export const places = ['environment', 'scenario'];

export const joined = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(', ');
