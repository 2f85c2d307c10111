import { differing, differingWithin, whoIs } from '../model/shown-cases.js';

/** @import { ChartSpec } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */

/**
 * What a line of a chart stands for.
 */

/**
 * The declared series comes first; then whatever else the cases differ in, for no line may jump between two cases.
 * @param {ChartSpec} wish
 * @param {Entry[]} entries
 * @param {(entry: Entry) => string} nameOf a version's name
 * @returns {(entry: Entry) => string} '' where there is one line only
 */
export function lineNamer({ x, series }, entries, nameOf) {
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

/** @param {...(string | undefined)} texts */
export const joined = (...texts) => texts.filter(Boolean).join(', ');
