import type { ComparedCase } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import type { Calibration } from '../../records/calibration/calibration.js';
import type { CollectedSite } from '../collect/collect.js';
import type { Duet } from '../collect/collect-duets.js';
import type { Entry } from '../collect/collect-record.js';
import type { LastRun } from '../collect/last-run.js';
import type { System } from '../collect/systems.js';
import type { Chain } from './chains.js';
import type { JudgedComparison } from './comparisons.js';
import type { JudgeChanges } from './line-changes.js';
import { caseKey, groupBy, type Version, versionsOf } from './series.js';

/** All that pages are made from, in the shapes that they ask for. */
export type Overview = {
  /** of the site */
  title: string;
  systems: System[];
  /** oldest first */
  versions: Version[];
  /** of a case: its records, oldest version first */
  series: Map<string, Entry[]>;
  /** of the last run, by case */
  outcomes: Map<string, ComparedCase>;
  run: LastRun | null;
  /** cases of the last run that have no record */
  missing: Missing[];
  names: MetricNames;
  /**
   * of versions with those before them, of the last run with its baseline, of duets; by version, or by the URL of a duet's page
   */
  comparisons: Map<string, JudgedComparison>;
  /** their cases, by version and case */
  compared: Map<string, Map<string, ComparedCase>>;
  /** that have a page, oldest first */
  duets: Duet[];
  /** of duets, the longest first */
  chains: Chain[];
  /** how sure duets are, by system */
  calibrations: Map<string, Calibration>;
  /** that declared tables show */
  judgeChanges: JudgeChanges;
  /** where the site will be published */
  url: string | null;
};

export type Missing = { system: string; environment: string; case: string; verdict: string; reason: string | null };

/** @param site duets: that have a page */
export function overviewOf(
  { entries, run, systems, calibrations }: CollectedSite,
  comparisons: Overview['comparisons'],
  names: MetricNames,
  {
    title,
    url,
    duets,
    chains,
    judgeChanges,
  }: { title: string; url: string | null; duets: Duet[]; chains: Chain[]; judgeChanges: JudgeChanges },
): Overview {
  const versions = versionsOf(entries, run);
  const outcomes = new Map((run?.outcome?.cases ?? []).map((comparedCase) => [caseKey(comparedCase), comparedCase]));
  const compared = new Map(
    [...comparisons].map(([version, { comparison }]) => [
      version,
      new Map(comparison.cases.map((comparedCase) => [caseKey(comparedCase), comparedCase])),
    ]),
  );
  return {
    title,
    url,
    systems,
    versions,
    run,
    duets,
    chains,
    names,
    outcomes,
    calibrations,
    comparisons,
    compared,
    judgeChanges,
    missing: missingOf(run, entries, outcomes),
    series: groupBy(
      versions.flatMap((version) => version.entries),
      caseKey,
    ),
  };
}

/** What a case without a record can be. Whatever else it was called, its numbers are not there to be seen. */
const withoutRecord = ['error', 'inconclusive', 'interrupted', 'todo', 'n-a'];

/** @returns a failure must not be a silence on the pages */
function missingOf(run: LastRun | null, entries: Entry[], outcomes: Overview['outcomes']): Missing[] {
  const measured = new Set(entries.filter(({ lastRun }) => lastRun).map(caseKey));
  // Cases that an interrupted run did not reach are as they were before.
  const known = new Set(entries.map(caseKey));
  const gone = (run?.cases ?? []).filter(
    (runCase) => !measured.has(caseKey(runCase)) && !(runCase.status === 'interrupted' && known.has(caseKey(runCase))),
  );
  return gone.map((runCase) => {
    const { system, environment, case: name, status, reason } = runCase;
    const outcome = outcomes.get(caseKey(runCase)) ?? { verdict: status, reason };
    const { verdict, reason: why } = withoutRecord.includes(outcome.verdict)
      ? outcome
      : { verdict: 'error', reason: 'its record cannot be read' };
    return { system, environment, case: name, verdict, reason: why };
  });
}

/** What a record's version is called: a run that is not kept has an id that says nothing. */
export const nameOf = ({ kept, version }: { kept: boolean; version: string }) => (kept ? version : 'last run');

/**
 * How a record came out: in the last run, when it is of that; else, when it is worse than what came before it, against
 * that. What is unclear from session to session, as most is, does not take its own verdict away.
 * @returns undefined: its own verdict is all
 */
export function outcomeOf({ outcomes, compared }: Overview, entry: Entry): ComparedCase | undefined {
  if (entry.lastRun) return outcomes.get(caseKey(entry));
  const found = compared.get(entry.version)?.get(caseKey(entry));
  return found?.verdict === 'fail' ? found : undefined;
}

/**
 * How a record came out against what it was compared with.
 * @returns undefined: its version was not compared
 */
export const comparedOf = ({ compared }: Overview, entry: Entry): ComparedCase | undefined =>
  compared.get(entry.version)?.get(caseKey(entry));

/**
 * The note beside the verdict of a kept record that is better or worse than the one before it: its own verdict is of
 * its thresholds.
 */
export function changeTags(overview: Overview, entry: Entry): { word: string; text: string }[] {
  const { comparison, metrics = [] } = comparedOf(overview, entry) ?? {};
  if (!entry.kept || !comparison) return [];
  return ['worse', 'better'].flatMap((verdict) => {
    const found = metrics.filter((comparedMetric) => comparedMetric.gated && comparedMetric.verdict === verdict);
    const text = `than ${comparison.baseline}: ${found.map(({ metric }) => overview.names.titleOf(metric)).join(', ')}`;
    return found.length ? [{ word: verdict, text }] : [];
  });
}
