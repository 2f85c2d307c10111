import { caseKey, groupBy, valuesText, valueText } from '../model/series.js';
import { differingWithin, dimensionValue, inSpecOrder, isSame, whoIs } from '../model/shown-cases.js';
import { nameOf } from '../model/site-model.js';

/** @import { TableSpec } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Missing } from '../model/site-model.js' */

/**
 * The lines of a declared table: one for each value of `by`, and where cases differ in more than that, for each of
 * those too.
 *
 * @typedef {{ by: unknown, title: string, rest: string, entry: Entry | null, request?: string, group?: string,
 *   reason: string }} TableLine entry: null when there is no record, for that reason
 */

/**
 * @param {TableSpec} wish
 * @param {Entry[]} entries what the table is of
 * @param {System} system
 * @param {Missing[]} missing cases of the last run that gave no record
 * @returns {TableLine[]}
 */
export function linesOf(wish, entries, system, missing) {
  const { by } = wish;
  const sorted = inSpecOrder(entries, system);
  const rest = differingWithin(entries, toldBy(by, entries));
  const lines = sorted.flatMap((entry) =>
    parts(by, entry).map((part) => ({ ...part, rest: whoIs(entry, rest, nameOf), entry, reason: '' })),
  );
  // Values of `by` stand together, in the order of their first case.
  const together = [...groupBy(lines, (line) => String(line.by)).values()];
  const grouped = inDeclaredOrder(together, wish).flat();
  const absent = expected(wish, system).filter((value) => !lines.some((line) => isSame(line.by, value)));
  const nothing = absent.map((value) => ({
    by: value,
    title: '',
    rest: '',
    entry: null,
    reason: whyNot(by, value, system, missing),
  }));
  return [...grouped, ...nothing].map((line) => ({ ...line, title: titleOf(by, line.by, system, line.entry) }));
}

/**
 * The order that a table asks for: of the values that its `where` lists; and what a change is from stands before what it is to.
 * @template {{ by: unknown }} T
 * @param {T[][]} groups of lines, by their value of `by`
 * @param {TableSpec} wish
 * @returns {T[][]}
 */
function inDeclaredOrder(groups, { by, where = {}, change }) {
  const listed = [where[by] ?? []].flat();
  const placeOf = (/** @type {T[]} */ [line]) => {
    const place = listed.findIndex((value) => isSame(line.by, value));
    return place < 0 ? listed.length : place;
  };
  const sorted = groups.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (!change) return sorted;
  const at = (/** @type {unknown} */ value) => sorted.findIndex(([line]) => isSame(line.by, value));
  const [from, to] = [at(change.from), at(change.to)];
  return from <= to || to < 0 ? sorted : sorted.toSpliced(from, 1).toSpliced(to, 0, sorted[from]);
}

/** @param {string} by @param {Entry[]} entries */
const toldBy = (by, entries) =>
  by === 'case' ? ['scenario', ...entries.flatMap(({ record }) => Object.keys(record.values))] : [by];

/**
 * What a case gives lines for: one, or one for each of its requests or groups.
 * @param {string} by
 * @param {Entry} entry
 * @returns {{ by: unknown, title: string, request?: string, group?: string }[]}
 */
function parts(by, entry) {
  const { requests, groups = {} } = entry.record;
  if (by === 'request') return Object.keys(requests).map((name) => ({ by: name, title: name, request: name }));
  if (by === 'group') return Object.keys(groups).map((name) => ({ by: name, title: name, group: name }));
  const value = dimensionValue(entry, by);
  return value === undefined ? [] : [{ by: value, title: '' }];
}

/**
 * @param {string} by
 * @param {unknown} value
 * @param {System} system
 * @param {Entry | null} [entry]
 * @returns {string}
 */
function titleOf(by, value, { scenarios, environments }, entry) {
  if (by === 'environment') return environments.find(({ name }) => name === value)?.title ?? String(value);
  if (by === 'scenario') return scenarios.find(({ name }) => name === value)?.title ?? String(value);
  if (by === 'case' && entry) {
    return [entry.record.title || entry.record.scenario, valuesText(entry.record)].filter(Boolean).join(', ');
  }
  return valueText(value);
}

/**
 * What must be there, or be said not to be.
 * @param {TableSpec} wish
 * @param {System} system
 * @returns {unknown[]} values of `by`
 */
function expected({ by, scenario, scenarios = [scenario ?? ''], where = {}, change }, system) {
  const named = system.scenarios.filter(({ name }) => scenarios.includes(name));
  const all =
    by === 'scenario'
      ? named.map(({ name }) => name)
      : by === 'environment'
        ? system.environments
            .map(({ name }) => name)
            .filter((name) => named.some(({ environments }) => !environments || environments.includes(name)))
        : [];
  const chosenValues = where[by] === undefined ? all : all.filter((value) => [where[by]].flat().includes(value));
  return [...new Set([...chosenValues, ...(change ? [change.from, change.to] : [])])];
}

/**
 * @param {string} by
 * @param {unknown} value
 * @param {System} system
 * @param {Missing[]} missing
 */
function whyNot(by, value, { name, scenarios }, missing) {
  const scenario = by === 'scenario' ? scenarios.find((summary) => summary.name === value) : undefined;
  const failed = missing.find(
    (missingCase) =>
      missingCase.system === name &&
      (by === 'environment' ? missingCase.environment === value : caseKey(missingCase).includes(`/${value}`)),
  );
  return scenario?.reason ?? failed?.reason ?? 'not measured';
}
