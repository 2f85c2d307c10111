import { join, relative } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { judge } from '../../records/judge.js';
import { recordFile } from '../../records/reduce-case.js';
import { acceptChanges } from './ruler/ruler.js';
import { sideNames } from './split.js';

/** @import { Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { PlannedCase } from '../../records/judge.js' */
/** @import { DuetContext } from './contexts.js' */
/** @import { PairOutcome } from './pair-outcome.js' */
/** @import { SharedRule } from './ruler/compare-sides.js' */
/** @import { Change } from './ruler/ruler.js' */
/** @import { DuetSide } from './sides.js' */

/**
 * Judges cases of a duet together, from the blocks that there are so far, by base's rule.
 * @param {readonly PairOutcome[]} outcomes
 * @param {DuetContext} duet
 * @param {{ folder: string, run: string | null, root: string }} where folder: where the plan goes; run: its id, null for an
 *   interim look; root: what paths of files begin at
 * @returns {Promise<Comparison>}
 */
export async function judgeDuet(outcomes, duet, { folder, run, root }) {
  const { base, head, command, suite, rule, sources, runs } = duet;
  const isWhole = run !== null; // an interim look is at one case
  const gone = isWhole ? rule.gone : [];
  const cases = [
    ...gone.filter(({ accepted }) => accepted === null).map(({ subject }) => goneSystem(subject, base.label)),
    ...goneCases(rule.changes, outcomes, base.label),
  ];
  for (const outcome of outcomes) {
    const records = await Promise.all(sideNames.map((side) => recordFile(join(outcome.folder, side))));
    const changes = [
      ...rule.changes.filter((change) => concerns(change, outcome.benchCase)),
      ...foreignFiles(outcome, rule),
      ...notApart(outcome, sources),
    ].map(withoutPlace);
    cases.push({ ...plannedCase(outcome, base.label, records), changes, compare: rule.compareOf(outcome.benchCase) });
  }
  return judge(
    {
      schema: schemaVersion,
      run,
      time: runs.head.time.toISOString(),
      command,
      folder: relative(root, folder),
      baseline: base.label,
      head: head.label,
      commits: { base: measuredCommit(base), head: measuredCommit(head) },
      compare: suite.bench.compare ?? null,
      notes: [
        ...rule.notes,
        ...acceptedNotes(gone, base.label),
        ...imageNotes(outcomes),
        ...programNotes(outcomes, sources),
      ],
      accept: rule.accept,
      sharing: duet.cases,
      cases,
    },
    join(folder, 'plan.json'),
    { root },
  );
}

/** @param {DuetSide} side @returns {string | null} null: what was measured is not a commit's */
const measuredCommit = ({ url, commit, dirty }) => (url === null && !dirty ? commit : null);

/**
 * A side that runs the other's files is not a side, nor is an image that no commit made.
 * @param {PairOutcome} outcome
 * @param {SharedRule} rule
 * @returns {Change[]}
 */
function foreignFiles({ seen: { foreign }, benchCase: { system, environment, name } }, { accept }) {
  if (foreign === null) return [];
  const difference = { system, environment, case: name, subject: 'files', ...foreign, looser: true };
  return acceptChanges([difference], accept);
}

/**
 * Two sides that are one program in spite of different sources, or of which one calls the other, were not compared. Nobody can accept
 * that.
 * @param {PairOutcome} outcome
 * @param {ReadonlyMap<string, string>} sources
 * @returns {Change[]}
 */
function notApart({ seen: { program, crossed }, benchCase: { system, environment, name } }, sources) {
  const place = { system, environment, case: name, looser: true, accept: '', accepted: null };
  const source = sources.get(system);
  return [
    ...(program === null || source === undefined
      ? []
      : [{ ...place, subject: 'program', base: programText(program), head: `${source} is not the same` }]),
    ...(crossed === null ? [] : [{ ...place, subject: 'sides', base: 'apart', head: crossed }]),
  ];
}

/** @param {NonNullable<PairOutcome['seen']['program']>} program */
const programText = ({ name, path, one }) => `service ${name} runs ${path}${one ? ', one file for both' : ''}`;

/** @param {readonly PairOutcome[]} outcomes @returns {string[]} */
const imageNotes = (outcomes) => [...new Set(outcomes.flatMap(({ seen }) => seen.image ?? []))];

/**
 * @param {readonly PairOutcome[]} outcomes
 * @param {ReadonlyMap<string, string>} sources
 * @returns {string[]}
 */
const programNotes = (outcomes, sources) => [
  ...new Set(
    outcomes.flatMap(({ seen: { program }, benchCase }) =>
      program === null || sources.has(benchCase.system)
        ? []
        : [`Both sides are the same program (${programText(program)}): any difference is a false positive.`],
    ),
  ),
];

/** @param {Change} change @param {{ system: string, environment: string, name: string }} benchCase */
const concerns = ({ system, environment, case: name }, benchCase) =>
  system === null || (system === benchCase.system && environment === benchCase.environment && name === benchCase.name);

/** @param {Change} change */
const withoutPlace = ({ subject, base, head, looser, accept, accepted }) => ({
  subject,
  base,
  head,
  looser,
  accept,
  accepted,
});

/**
 * Cases that base measures and head does not: no pass.
 * @param {readonly Change[]} changes
 * @param {readonly PairOutcome[]} outcomes
 * @param {string} baseline
 * @returns {PlannedCase[]}
 */
function goneCases(changes, outcomes, baseline) {
  const measured = outcomes.map(({ benchCase }) => benchCase);
  const gone = changes.filter(
    (change) =>
      change.looser &&
      change.accepted === null &&
      /^(case |status$)/.test(change.subject) &&
      !measured.some((benchCase) => concerns(change, benchCase)),
  );
  return gone.map(({ system, environment, case: name, subject, head }) => ({
    ...nothing,
    system: system ?? 'all',
    environment: environment ?? 'all',
    case: name ?? 'all',
    baseline,
    reason: `${baseline} measures it, and head does not: ${subject === 'status' ? `its status is ${head}` : 'it is gone'}`,
  }));
}

/** @param {readonly Change[]} gone @param {string} baseline */
const acceptedNotes = (gone, baseline) =>
  gone.flatMap(({ subject, accepted }) =>
    accepted === null ? [] : [`${baseline} has the ${subject} and head has not, as accepted (${accepted}).`],
  );

/** @param {string} subject "system shop" */
const systemIn = (subject) => subject.replace(/^system /, '');

/**
 * A system that nothing measures any more: no pass.
 * @param {string} subject
 * @param {string} baseline
 * @returns {PlannedCase}
 */
const goneSystem = (subject, baseline) => ({
  ...nothing,
  system: systemIn(subject),
  environment: 'all',
  case: 'all',
  baseline,
  reason: `${baseline} has specs/${systemIn(subject)}, and head has not: nothing measures it any more`,
});

const nothing = {
  scenario: null,
  values: {},
  status: 'measured',
  series: [],
  base_reason: null,
  head: null,
  base: null,
};

/**
 * A base that failed on the way is nothing to compare with, however good its first blocks were.
 * @param {PairOutcome} outcome
 * @param {string} baseline
 * @param {(string | null)[]} records of base and head
 * @returns {PlannedCase}
 */
const plannedCase = ({ benchCase, status, reason, base_reason, pair, lanes, seen }, baseline, [base, head]) => ({
  system: benchCase.system,
  environment: benchCase.environment,
  case: benchCase.name,
  scenario: benchCase.scenario,
  values: benchCase.values,
  status,
  reason,
  base_reason,
  baseline,
  series: [],
  pair,
  lanes,
  starts: seen.starts,
  head,
  base: base_reason === null ? base : null,
});
