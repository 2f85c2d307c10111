import type { ComparedCase } from '../../../reports/schema/types.d.ts';
import type { Duet } from '../collect/collect-duets.js';
import type { Entry } from '../collect/collect-record.js';
import { combinationKey, type System } from '../collect/systems.js';
import { byCase, caseKey, compareText, groupBy } from './series.js';
import { type Missing, type Overview, outcomeOf } from './site-model.js';
import { countVerdicts, verdictOf } from './verdict.js';

/**
 * Of one scenario in one environment, the cases of the newest version.
 * @param entries oldest version first
 */
export const latestOf = (entries: Entry[]) =>
  entries.filter(({ version }) => version === entries.at(-1)?.version).sort(byCase);

/**
 * What was measured last of the newest version: its entries do not stand in the order in which they were measured.
 * @param entries oldest version first
 */
export const lastMeasuredOf = (entries: Entry[]): Entry | undefined =>
  latestOf(entries)
    .toSorted((a, b) => compareText(a.record.time, b.record.time))
    .at(-1);

/** Scenario by scenario the newest version that measured it: one line of a chart is of one version. */
export const newestOf = (system: System, overview: Overview): Entry[] => seriesOf(system, overview).flatMap(latestOf);

/**
 * How a system stands: case by case what was measured last, since a run may measure only some of them; with each profile, for a
 * quick pass does not answer a fail. A case that the spec has dropped no longer counts, unless nothing else of its scenario was
 * measured, or it was in the last run.
 */
export const currentOf = (system: System, overview: Overview): Entry[] =>
  seriesOf(system, overview).flatMap((entries) => {
    const declared = entries.filter(isDeclared(system));
    if (declared.length === 0) return latestOf(entries);
    const cases = groupBy(declared, (entry) => `${entry.case} ${entry.record.profile ?? ''}`);
    return [...cases.values()].flatMap((series) => series.slice(-1)).sort(byCase);
  });

const isDeclared =
  ({ scenarios }: System): ((entry: Entry) => boolean) =>
  ({ record, lastRun }) => {
    const cases = scenarios.find(({ name }) => name === record.scenario)?.cases ?? null;
    return lastRun || cases === null || cases.has(combinationKey(record.values));
  };

/**
 * What was measured of scenarios and cases that the spec has no more, oldest version first: each case in each environment, and
 * with each profile. None of them counts; that they were measured is not lost.
 */
export function goneOf(system: System, overview: Overview): Entry[][] {
  const shown = new Set(currentOf(system, overview).map(placeOf));
  const entries = entriesOf(system, overview).filter((entry) => !shown.has(placeOf(entry)));
  return [...groupBy(entries, placeOf).values()].sort(([entry], [other]) => byCase(entry, other));
}

const placeOf = (entry: Entry) => `${seriesKey(entry)} ${entry.case} ${entry.record.profile ?? ''}`;

const entriesOf = ({ name }: System, { versions }: Overview) =>
  versions.flatMap((version) => version.entries).filter(({ system }) => system === name);

/**
 * What was measured of each scenario in each environment, oldest version first; what a search found and what another tool
 * measured are series of their own.
 */
function seriesOf(system: System, overview: Overview): Entry[][] {
  const known = new Set(system.scenarios.map((scenario) => scenario.name));
  const entries = entriesOf(system, overview).filter(
    ({ record }) => system.spec === null || known.has(record.scenario),
  );
  return [...groupBy(entries, seriesKey).values()];
}

const seriesKey = ({ record, environment }: Entry) =>
  `${record.scenario} ${environment} ${record.search ? 'find' : (record.imported?.format ?? '')}`;

/**
 * The scenarios that are still to be measured.
 * @returns their names
 */
export function unmeasuredOf(system: System, overview: Overview): string[] {
  const seen = new Set([
    ...seriesOf(system, overview).map(([{ record }]) => record.scenario),
    ...duetCasesOf(system, overview).map(({ outcome }) => outcome.scenario),
    ...overview.missing
      .filter((missingCase) => missingCase.system === system.name)
      .map((missingCase) => missingCase.case.split(',')[0]),
  ]);
  return system.scenarios.filter(({ name, status }) => status === null && !seen.has(name)).map(({ name }) => name);
}

/** @param missing cases without a record */
export const countsOf = (entries: Entry[], missing: Missing[], overview: Overview) =>
  countVerdicts([...entries.map((entry) => verdictOf(entry, outcomeOf(overview, entry))), ...missing]);

/** What duets said last of each case of a system. */
export function duetCasesOf({ name }: { name: string }, { duets }: Overview): { duet: Duet; outcome: ComparedCase }[] {
  const all = duets.flatMap((duet) => duet.outcome.cases.map((outcome) => ({ duet, outcome })));
  const own = all.filter(({ outcome }) => outcome.system === name && outcome.comparison !== null);
  return [...groupBy(own, ({ outcome }) => caseKey(outcome)).values()].map((cases) => cases[cases.length - 1]);
}

/** How a system stands, in numbers: by its records, or by its duets where it has none. */
export function standingOf(system: System, overview: Overview) {
  const counts = countsOf(
    currentOf(system, overview),
    overview.missing.filter((missingCase) => missingCase.system === system.name),
    overview,
  );
  return counts.length ? counts : countVerdicts(duetCasesOf(system, overview).map(({ outcome }) => outcome));
}
