import * as comparable from '../../../site/assets/js/comparable.js';
import type { Entry } from '../collect/collect-record.js';

export { valuesText, valueText } from '../../../site/assets/js/values.js';

/** time: of its first record */
export type Version = { version: string; kept: boolean; time: string; entries: Entry[]; url: string };

/**
 * The versions of a site, oldest first: by the time of their first record. A run that gave no record is one too.
 * @param run the last
 */
export function versionsOf(entries: Entry[], run: { id: string; time: string } | null): Version[] {
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

/** @returns in the order of first appearance */
export function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups: Map<string, T[]> = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export const caseKey = (identity: { system: string; environment: string; case: string }) =>
  `${identity.system}/${identity.environment}/${identity.case}`;

/** @returns what is another one; null: comparable */
export const differenceOf = (before: Entry, after: Entry): string | null =>
  comparable.differenceOf(before.record, after.record);

/** The same for cases that are different ones on purpose. */
export const placeDifferenceOf = (before: Entry, after: Entry): string | null =>
  comparable.placeDifferenceOf(before.record, after.record);

/** Cases in the order people expect: by scenario, then by swept values, numbers by size, within texts too: 2g before 10g. */
export function byCase(a: Entry, b: Entry): number {
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

export const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A page must not grow with the number of versions: each would cost more than the one before. */
const neighbours = 4;

/**
 * @param all in their order
 * @param entry of them
 * @returns it and those around it
 */
export function nearestOf<T>(all: T[], entry: T): T[] {
  const position = all.indexOf(entry);
  return all.slice(Math.max(0, position - neighbours), position + neighbours + 1);
}
