import { byCase, groupBy, valueText } from './series.js';

/** @import { Value } from '../../suite/cases/sweep.js' */
/** @import { Where } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { System } from '../collect/systems.js' */

/**
 * Which cases a declared table or chart is of, and how they are told apart.
 */

/**
 * A property of a case: a swept parameter, "environment", "scenario", "case" or "version".
 * @param {Entry} entry
 * @param {string} dimension
 * @returns {Value | undefined} undefined: it has none
 */
export function dimensionValue({ record, environment, version, case: name }, dimension) {
  if (dimension === 'environment') return environment;
  if (dimension === 'version') return version;
  if (dimension === 'case') return name;
  return dimension === 'scenario' ? record.scenario : record.values[dimension];
}

/**
 * What a scenario does not sweep cannot tell its cases apart: such a condition is for the other scenarios.
 * @param {{ scenario?: string, scenarios?: string[], where?: Where }} wish
 * @param {Entry[]} entries
 * @returns {Entry[]}
 */
export function chosen({ scenario, scenarios, where = {} }, entries) {
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

/** A swept value may be written as text in one place and as a number in another. @param {unknown} a @param {unknown} b */
export const isSame = (a, b) => a !== undefined && String(a) === String(b);

/**
 * As the spec lists them: scenarios, environments, then swept values by size.
 * @param {Entry[]} entries
 * @param {System} system
 */
export function inSpecOrder(entries, { scenarios, environments }) {
  const [first, second] = [scenarios, environments].map((all) => new Map(all.map(({ name }, i) => [name, i])));
  const placeOf = (/** @type {Entry} */ { record }) => first.get(record.scenario) ?? -1;
  const sideOf = (/** @type {Entry} */ { environment }) => second.get(environment) ?? -1;
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b) || byCase(a, b) || sideOf(a) - sideOf(b));
}

/**
 * In what cases differ.
 * @param {Entry[]} entries
 * @returns {string[]} dimensions
 */
export function differing(entries) {
  const swept = entries.flatMap(({ record }) => Object.keys(record.values));
  return [...new Set(['scenario', 'environment', ...swept])].filter(
    (dimension) => new Set(entries.map((entry) => String(dimensionValue(entry, dimension)))).size > 1,
  );
}

/**
 * In what cases differ that are alike in some dimensions.
 * @param {Entry[]} entries
 * @param {string[]} alike
 * @returns {string[]} dimensions
 */
export function differingWithin(entries, alike) {
  const placesOf = (/** @type {Entry} */ entry) =>
    JSON.stringify(alike.map((dimension) => dimensionValue(entry, dimension)));
  return [...new Set([...groupBy(entries, placesOf).values()].flatMap(differing))];
}

/**
 * A case's place in one dimension, as people read it.
 * @param {Entry} entry
 * @param {string} dimension
 * @param {(entry: Entry) => string} nameOf a version's name
 * @returns {string} '' when it has none
 */
export function placeText(entry, dimension, nameOf) {
  const value = dimensionValue(entry, dimension);
  if (dimension === 'version') return nameOf(entry);
  if (dimension === 'scenario') return entry.record.title || String(value);
  if (['environment', 'case', 'request'].includes(dimension)) return String(value ?? '');
  return value === undefined ? '' : `${dimension} ${valueText(value)}`;
}

/**
 * What tells a line or a row from the others.
 * @param {Entry} entry
 * @param {string[]} dimensions
 * @param {(entry: Entry) => string} nameOf
 */
export const whoIs = (entry, dimensions, nameOf) =>
  dimensions
    .map((dimension) => placeText(entry, dimension, nameOf))
    .filter(Boolean)
    .join(', ');
