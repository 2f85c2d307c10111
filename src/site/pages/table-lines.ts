import type { Entry } from '../collect/collect-record.js';
import type { TableSpec } from '../collect/declared-parts.js';
import type { System } from '../collect/systems.js';
import { caseKey, groupBy, valuesText, valueText } from '../model/series.js';
import { differingWithin, dimensionValue, inSpecOrder, isSame, whoIs } from '../model/shown-cases.js';
import { type Missing, nameOf } from '../model/site-model.js';

/**
 * The lines of a declared table: one for each value of `by`, and where cases differ in more than that, for each of those too.
 * entry: null when there is no record, for that reason
 */
export type TableLine = {
  by: unknown;
  title: string;
  rest: string;
  entry: Entry | null;
  request?: string;
  group?: string;
  reason: string;
};

/**
 * @param entries the subject of the table
 * @param missing cases of the last run that gave no record
 */
export function linesOf(wish: TableSpec, entries: Entry[], system: System, missing: Missing[]): TableLine[] {
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
 * @param groups of lines, by their value of `by`
 */
function inDeclaredOrder<T extends { by: unknown }>(groups: T[][], { by, where = {}, change }: TableSpec): T[][] {
  const listed = [where[by] ?? []].flat();
  const placeOf = ([line]: T[]) => {
    const place = listed.findIndex((value) => isSame(line.by, value));
    return place < 0 ? listed.length : place;
  };
  const sorted = groups.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (!change) return sorted;
  const at = (value: unknown) => sorted.findIndex(([line]) => isSame(line.by, value));
  const [from, to] = [at(change.from), at(change.to)];
  return from <= to || to < 0 ? sorted : sorted.toSpliced(from, 1).toSpliced(to, 0, sorted[from]);
}

const toldBy = (by: string, entries: Entry[]) =>
  by === 'case' ? ['scenario', ...entries.flatMap(({ record }) => Object.keys(record.values))] : [by];

/** What a case gives lines for: one, or one for each of its requests or groups. */
function parts(by: string, entry: Entry): { by: unknown; title: string; request?: string; group?: string }[] {
  const { requests, groups = {} } = entry.record;
  if (by === 'request') return Object.keys(requests).map((name) => ({ by: name, title: name, request: name }));
  if (by === 'group') return Object.keys(groups).map((name) => ({ by: name, title: name, group: name }));
  const value = dimensionValue(entry, by);
  return value === undefined ? [] : [{ by: value, title: '' }];
}

function titleOf(by: string, value: unknown, { scenarios, environments }: System, entry?: Entry | null): string {
  if (by === 'environment') return environments.find(({ name }) => name === value)?.title ?? String(value);
  if (by === 'scenario') return scenarios.find(({ name }) => name === value)?.title ?? String(value);
  if (by === 'case' && entry) {
    return [entry.record.title || entry.record.scenario, valuesText(entry.record)].filter(Boolean).join(', ');
  }
  return valueText(value);
}

/**
 * What must be there, or be said not to be.
 * @returns values of `by`
 */
function expected(
  { by, scenario, scenarios = [scenario ?? ''], where = {}, change }: TableSpec,
  system: System,
): unknown[] {
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

function whyNot(by: string, value: unknown, { name, scenarios }: System, missing: Missing[]) {
  const scenario = by === 'scenario' ? scenarios.find((summary) => summary.name === value) : undefined;
  const failed = missing.find(
    (missingCase) =>
      missingCase.system === name &&
      (by === 'environment' ? missingCase.environment === value : caseKey(missingCase).includes(`/${value}`)),
  );
  return scenario?.reason ?? failed?.reason ?? 'not measured';
}
