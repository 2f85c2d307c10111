import { join, relative } from 'node:path';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { schemaVersion } from '../../../reports/schema/version.js';
import { judge, type PlannedCase } from '../../records/judge.js';
import { recordFile } from '../../records/reduce-case.js';
import type { DuetContext } from './contexts.js';
import type { PairOutcome } from './pair-outcome.js';
import type { SharedRule } from './ruler/compare-sides.js';
import { acceptChanges, type Change } from './ruler/ruler.js';
import type { DuetSide } from './sides.js';
import { sideNames } from './split.js';

/**
 * Judges cases of a duet together, from the blocks that there are so far, by base's rule.
 * @param where folder: where the plan goes; run: its id, null for an interim look; root: what paths of files begin at
 */
export async function judgeDuet(
  outcomes: readonly PairOutcome[],
  duet: DuetContext,
  { folder, run, root }: { folder: string; run: string | null; root: string },
): Promise<Comparison> {
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

/** @returns null: the files that were measured are no commit's */
const measuredCommit = ({ url, commit, dirty }: DuetSide): string | null => (url === null && !dirty ? commit : null);

/** A side that runs the other's files is not a side, nor is an image that no commit made. */
function foreignFiles(
  { seen: { foreign }, benchCase: { system, environment, name } }: PairOutcome,
  { accept }: SharedRule,
): Change[] {
  if (foreign === null) return [];
  const difference = { system, environment, case: name, subject: 'files', ...foreign, looser: true };
  return acceptChanges([difference], accept);
}

/**
 * Two sides that are one program in spite of different sources, or of which one calls the other, were not compared. Nobody can
 * accept that.
 */
function notApart(
  { seen: { program, crossed }, benchCase: { system, environment, name } }: PairOutcome,
  sources: ReadonlyMap<string, string>,
): Change[] {
  const place = { system, environment, case: name, looser: true, accept: '', accepted: null };
  const source = sources.get(system);
  return [
    ...(program === null || source === undefined
      ? []
      : [{ ...place, subject: 'program', base: programText(program), head: `${source} is not the same` }]),
    ...(crossed === null ? [] : [{ ...place, subject: 'sides', base: 'apart', head: crossed }]),
  ];
}

const programText = ({ name, path, one }: NonNullable<PairOutcome['seen']['program']>) =>
  `service ${name} runs ${path}${one ? ', one file for both' : ''}`;

const imageNotes = (outcomes: readonly PairOutcome[]): string[] => [
  ...new Set(outcomes.flatMap(({ seen }) => seen.image ?? [])),
];

const programNotes = (outcomes: readonly PairOutcome[], sources: ReadonlyMap<string, string>): string[] => [
  ...new Set(
    outcomes.flatMap(({ seen: { program }, benchCase }) =>
      program === null || sources.has(benchCase.system)
        ? []
        : [`Both sides are the same program (${programText(program)}): any difference is a false positive.`],
    ),
  ),
];

const concerns = (
  { system, environment, case: name }: Change,
  benchCase: { system: string; environment: string; name: string },
) =>
  system === null || (system === benchCase.system && environment === benchCase.environment && name === benchCase.name);

const withoutPlace = ({ subject, base, head, looser, accept, accepted }: Change) => ({
  subject,
  base,
  head,
  looser,
  accept,
  accepted,
});

/** Cases that base measures and head does not: no pass. */
function goneCases(changes: readonly Change[], outcomes: readonly PairOutcome[], baseline: string): PlannedCase[] {
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

const acceptedNotes = (gone: readonly Change[], baseline: string) =>
  gone.flatMap(({ subject, accepted }) =>
    accepted === null ? [] : [`${baseline} has the ${subject} and head has not, as accepted (${accepted}).`],
  );

/** @param subject "system shop" */
const systemIn = (subject: string) => subject.replace(/^system /, '');

/** A system that nothing measures any more: no pass. */
const goneSystem = (subject: string, baseline: string): PlannedCase => ({
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
 * @param records of base and head
 */
const plannedCase = (
  { benchCase, status, reason, base_reason, pair, lanes, seen }: PairOutcome,
  baseline: string,
  [base, head]: (string | null)[],
): PlannedCase => ({
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
