import * as comparable from '../../../site/assets/js/comparable.js';

/** @import { Entry } from '../collect/collect-record.js' */

export { valuesText, valueText } from '../../../site/assets/js/values.js';

/**
 * @typedef {{ version: string, kept: boolean, time: string, entries: Entry[], url: string }} Version
 * time: of its first record
 */

/**
 * The versions of a site, oldest first: by the time of their first record. A run that gave no record is one too.
 * @param {Entry[]} entries
 * @param {{ id: string, time: string } | null} run the last
 * @returns {Version[]}
 */
export function versionsOf(entries, run) {
  const groups = groupBy(entries, ({ version }) => version);
  const versions = [...groups].map(([version, inside]) => ({
    version,
    kept: inside[0].kept,
    entries: inside,
    url: `versions/${version}`,
    time: inside.map(({ record }) => record.time).sort()[0],
  }));
  const empty =
    run && !entries.some(({ lastRun }) => lastRun)
      ? [{ version: run.id, kept: false, entries: [], url: `versions/${run.id}`, time: run.time }]
      : [];
  return [...versions, ...empty].sort((a, b) => compareText(a.time, b.time) || compareText(a.version, b.version));
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @returns {Map<string, T[]>} in the order of first appearance
 */
export function groupBy(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** @param {{ system: string, environment: string, case: string }} identity */
export const caseKey = (identity) => `${identity.system}/${identity.environment}/${identity.case}`;

/**
 * @param {Entry} before
 * @param {Entry} after
 * @returns {string | null} what is another one; null: comparable
 */
export const differenceOf = (before, after) => comparable.differenceOf(before.record, after.record);

/**
 * The same for cases that are different ones on purpose.
 * @param {Entry} before
 * @param {Entry} after
 * @returns {string | null}
 */
export const placeDifferenceOf = (before, after) => comparable.placeDifferenceOf(before.record, after.record);

/**
 * Cases in the order people expect: by scenario, then by swept values, numbers by size, within texts too: 2g before 10g.
 * @param {Entry} a
 * @param {Entry} b
 * @returns {number}
 */
export function byCase(a, b) {
  const [record, other] = [a.record, b.record];
  if (record.scenario !== other.scenario) return compareText(record.scenario, other.scenario);
  const key = Object.keys(record.values)
    .sort()
    .find((name) => record.values[name] !== other.values[name]);
  if (key === undefined) return compareText(a.case, b.case);
  const [x, y] = [record.values[key], other.values[key]];
  return typeof x === 'number' && typeof y === 'number' ? x - y : natural.compare(String(x), String(y));
}

const natural = new Intl.Collator('en', { numeric: true });

/** @param {string} a @param {string} b */
export const compareText = (a, b) => (a < b ? -1 : Number(a > b));

/** A page must not grow with the number of versions: each would cost more than the one before. */
const neighbours = 4;

/**
 * @template T
 * @param {T[]} all in their order
 * @param {T} entry of them
 * @returns {T[]} it and those around it
 */
export function nearestOf(all, entry) {
  const position = all.indexOf(entry);
  return all.slice(Math.max(0, position - neighbours), position + neighbours + 1);
}
