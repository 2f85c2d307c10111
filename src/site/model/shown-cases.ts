import type { Value } from '../../suite/cases/sweep.js';
import type { Entry } from '../collect/collect-record.js';
import type { Where } from '../collect/declared-parts.js';
import type { System } from '../collect/systems.js';
import { byCase, groupBy, valueText } from './series.js';

/**
 * Which cases a declared table or chart is of, and how they are told apart.
 */

/**
 * A property of a case: a swept parameter, "environment", "scenario", "case" or "version".
 * @returns undefined: it has none
 */
export function dimensionValue(
  { record, environment, version, case: name }: Entry,
  dimension: string,
): Value | undefined {
  if (dimension === 'environment') return environment;
  if (dimension === 'version') return version;
  if (dimension === 'case') return name;
  return dimension === 'scenario' ? record.scenario : record.values[dimension];
}

/** What a scenario does not sweep cannot tell its cases apart: such a condition is for the other scenarios. */
export function chosen(
  { scenario, scenarios, where = {} }: { scenario?: string; scenarios?: string[]; where?: Where },
  entries: Entry[],
): Entry[] {
  const scenarioNames = scenarios ?? (scenario === undefined ? null : [scenario]);
  return entries.filter(
    (entry) =>
      (!scenarioNames || scenarioNames.includes(entry.record.scenario)) &&
      Object.entries(where).every(
        ([key, value]) =>
          dimensionValue(entry, key) === undefined ||
          [value].flat().some((choice) => isSame(dimensionValue(entry, key), choice)),
      ),
  );
}

/** A swept value may be written as text in one place and as a number in another. */
export const isSame = (a: unknown, b: unknown) => a !== undefined && String(a) === String(b);

/** As the spec lists them: scenarios, environments, then swept values by size. */
export function inSpecOrder(entries: Entry[], { scenarios, environments }: System) {
  const [first, second] = [scenarios, environments].map((all) => new Map(all.map(({ name }, i) => [name, i])));
  const placeOf = ({ record }: Entry) => first.get(record.scenario) ?? -1;
  const sideOf = ({ environment }: Entry) => second.get(environment) ?? -1;
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b) || byCase(a, b) || sideOf(a) - sideOf(b));
}

/**
 * In what cases differ.
 * @returns dimensions
 */
export function differing(entries: Entry[]): string[] {
  const swept = entries.flatMap(({ record }) => Object.keys(record.values));
  return [...new Set(['scenario', 'environment', ...swept])].filter(
    (dimension) => new Set(entries.map((entry) => String(dimensionValue(entry, dimension)))).size > 1,
  );
}

/**
 * In what cases differ that are alike in some dimensions.
 * @returns dimensions
 */
export function differingWithin(entries: Entry[], alike: string[]): string[] {
  const placesOf = (entry: Entry) => JSON.stringify(alike.map((dimension) => dimensionValue(entry, dimension)));
  return [...new Set([...groupBy(entries, placesOf).values()].flatMap(differing))];
}

/**
 * A case's place in one dimension, as people read it.
 * @param nameOf a version's name
 * @returns '' when it has none
 */
export function placeText(entry: Entry, dimension: string, nameOf: (entry: Entry) => string): string {
  const value = dimensionValue(entry, dimension);
  if (dimension === 'version') return nameOf(entry);
  if (dimension === 'scenario') return entry.record.title || String(value);
  if (['environment', 'case', 'request'].includes(dimension)) return String(value ?? '');
  return value === undefined ? '' : `${dimension} ${valueText(value)}`;
}

/** What tells a line or a row from the others. */
export const whoIs = (entry: Entry, dimensions: string[], nameOf: (entry: Entry) => string) =>
  dimensions
    .map((dimension) => placeText(entry, dimension, nameOf))
    .filter(Boolean)
    .join(', ');
