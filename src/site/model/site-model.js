import { caseKey, groupBy, versionsOf } from './series.js';

/** @import { Calibration } from '../../records/calibration/calibration.js' */
/** @import { ComparedCase } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Duet } from '../collect/collect-duets.js' */
/** @import { CollectedSite } from '../collect/collect.js' */
/** @import { LastRun } from '../collect/last-run.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Chain } from './chains.js' */
/** @import { JudgedComparison } from './comparisons.js' */
/** @import { JudgeChanges } from './line-changes.js' */
/** @import { Version } from './series.js' */

/**
 * All that pages are made from, in the shapes that they ask for.
 * @typedef {object} Overview
 * @property {string} title of the site
 * @property {System[]} systems
 * @property {Version[]} versions oldest first
 * @property {Map<string, Entry[]>} series of a case: its records, oldest version first
 * @property {Map<string, ComparedCase>} outcomes of the last run, by case
 * @property {LastRun | null} run
 * @property {Missing[]} missing cases of the last run that have no record
 * @property {MetricNames} names
 * @property {Map<string, JudgedComparison>} comparisons of versions with those before them, of the
 *   last run with its baseline, of duets; by version, or by the URL of a duet's page
 * @property {Map<string, Map<string, ComparedCase>>} compared their cases, by version and case
 * @property {Duet[]} duets that have a page, oldest first
 * @property {Chain[]} chains of duets, the longest first
 * @property {Map<string, Calibration>} calibrations how sure duets are, by system
 * @property {JudgeChanges} judgeChanges that declared tables show
 * @property {string | null} url where the site will be published
 */

/**
 * @typedef {{ system: string, environment: string, case: string, verdict: string, reason: string | null }} Missing
 */

/**
 * @param {CollectedSite} found
 * @param {Overview['comparisons']} comparisons
 * @param {MetricNames} names
 * @param {{ title: string, url: string | null, duets: Duet[], chains: Chain[], judgeChanges: JudgeChanges }} site
 *   duets: that have a page
 * @returns {Overview}
 */
export function overviewOf(
  { entries, run, systems, calibrations },
  comparisons,
  names,
  { title, url, duets, chains, judgeChanges },
) {
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

/**
 * @param {LastRun | null} run
 * @param {Entry[]} entries
 * @param {Overview['outcomes']} outcomes
 * @returns {Missing[]} a failure must not be a silence on the pages
 */
function missingOf(run, entries, outcomes) {
  const measured = new Set(entries.filter(({ lastRun }) => lastRun).map(caseKey));
  // What a run that was interrupted did not come to is what it was before.
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

/**
 * What a record's version is called: a run that is not kept has an id that says nothing.
 * @param {{ kept: boolean, version: string }} version
 */
export const nameOf = ({ kept, version }) => (kept ? version : 'last run');

/**
 * How a record came out: in the last run, when it is of that; else, when it is worse than what came before it, against
 * that. What is unclear from session to session, as most is, does not take its own verdict away.
 * @param {Overview} overview
 * @param {Entry} entry
 * @returns {ComparedCase | undefined} undefined: its own verdict is all
 */
export function outcomeOf({ outcomes, compared }, entry) {
  if (entry.lastRun) return outcomes.get(caseKey(entry));
  const found = compared.get(entry.version)?.get(caseKey(entry));
  return found?.verdict === 'fail' ? found : undefined;
}

/**
 * How a record came out against what it was compared with.
 * @param {Overview} overview
 * @param {Entry} entry
 * @returns {ComparedCase | undefined} undefined: its version was not compared
 */
export const comparedOf = ({ compared }, entry) => compared.get(entry.version)?.get(caseKey(entry));

/**
 * What stands beside the verdict of a kept record that is better or worse than what came before it: its own verdict is of
 * its thresholds.
 * @param {Overview} overview
 * @param {Entry} entry
 * @returns {{ word: string, text: string }[]}
 */
export function changeTags(overview, entry) {
  const { comparison, metrics = [] } = comparedOf(overview, entry) ?? {};
  if (!entry.kept || !comparison) return [];
  return ['worse', 'better'].flatMap((verdict) => {
    const found = metrics.filter((comparedMetric) => comparedMetric.gated && comparedMetric.verdict === verdict);
    const text = `than ${comparison.baseline}: ${found.map(({ metric }) => overview.names.titleOf(metric)).join(', ')}`;
    return found.length ? [{ word: verdict, text }] : [];
  });
}
