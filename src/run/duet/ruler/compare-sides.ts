import { join } from 'node:path';
import { UserError } from '../../../base/errors.js';
import { type LaneSettings, settingsOf } from '../../../suite/cases/duet-settings.js';
import type { Case } from '../../../suite/cases/expand.js';
import { isOurs, type Suite, systemNames } from '../../../suite/suite.js';
import { gitState } from '../../session/git-state.js';
import { repositoriesOf } from '../foreign-files.js';
import { type DuetSide, hasNoBenchmark } from '../sides.js';
import { listed } from './difference.js';
import { type Chosen, readRuler } from './read-ruler.js';
import { type Accepted, acceptChanges, type Change, type Ruler, rulerDifferences } from './ruler.js';

/** By what both sides are judged: base's rule, where base has one */
export type SharedRule = {
  /** how head's benchmark differs */
  changes: Change[];
  /** systems that base has and head has not */
  gone: Change[];
  /** what base accepts */
  accept: readonly Accepted[];
  /** where files are that base must not run */
  headFolders: readonly string[];
  /** what else to know of the two sides */
  notes: string[];
  /** gate, tolerances and alpha of a case; null: its own */
  compareOf: (benchCase: Case) => Case['compare'] | null;
  /** the place of a case among base's, behind them where base does not have it */
  rankOf: (benchCase: Case) => number;
  /** what is measured beside the solo lane */
  lanes: LaneSettings | null;
  /** the folder whose programs judge */
  reports: string;
};

/** The rule of a suite that is compared with itself, or with what has none: its own. */
export const ownRule = (suite: Suite): SharedRule => ({
  changes: [],
  gone: [],
  accept: [],
  headFolders: [],
  notes: [],
  compareOf: () => null,
  rankOf: () => 0,
  lanes: settingsOf(suite.bench).lanes,
  reports: join(suite.root, 'reports'),
});

/**
 * Compares what the two sides of a duet measure and expect. Whoever asks for a change may not set the rule that the
 * change is judged by.
 * @param here the suite that one stands in
 * @param k6 the program, which tells what scripts read
 */
export async function compareSides(
  base: DuetSide,
  head: DuetSide,
  chosen: Chosen,
  here: Suite,
  k6: string | null = null,
): Promise<SharedRule> {
  const ofHead = head.suite ?? here;
  const notes = [...base.notes, ...head.notes, ...(await notesOf(head, here))];
  const own = { ...ownRule(ofHead), notes };
  if (base.url !== null || head.url !== null || hasNoBenchmark(base)) return own;
  const same = sameFiles(base, head);
  if (same !== null) return { ...own, changes: [same] };
  if (base.suite === null) return { ...own, changes: [unreadable(base.problem)] };
  const accept = base.suite.bench.accept ?? [];
  const gone = acceptChanges(goneSystems(base.suite, ofHead), accept);
  const rulers = await readBoth([base.suite, base.top], [ofHead, head.top], chosen, k6);
  if (rulers instanceof UserError) return { ...own, gone, changes: [unreadable(rulers)] };
  const ours = isOurs(ofHead); // there reports/ is the product, and not somebody's own rule
  const bare = (ruler: Ruler) => (ours ? { ...ruler, programs: {} } : ruler);
  const rules = new Map(rulers.base.cases.map((benchCase) => [placeOf(benchCase), benchCase.compare]));
  const places = [...rules.keys()];
  // All cases share the smallest budget: one that base does not have may not make it smaller.
  const alpha = Math.min(...[...rules.values()].map((compare) => compare.alpha));
  return {
    changes: acceptChanges(rulerDifferences(bare(rulers.base), bare(rulers.head)), accept),
    gone,
    accept,
    headFolders: await repositoriesOf([head.root, here.root]),
    notes: [...notes, ...opaqueNotes(rulers.base)],
    compareOf: (benchCase) =>
      rules.get(placeOf(benchCase)) ??
      (rules.size > 0 && benchCase.compare.alpha < alpha ? { ...benchCase.compare, alpha } : null),
    rankOf: (benchCase) => (places.includes(placeOf(benchCase)) ? places.indexOf(placeOf(benchCase)) : places.length),
    lanes: settingsOf(base.suite.bench).lanes,
    reports: ours ? own.reports : join(base.root, 'reports'),
  };
}

const placeOf = ({ system, environment, name }: Case) => `${system}/${environment}/${name}`;

const ofAll = { system: null, environment: null, case: null };

const unreadable = (problem: UserError | null): Change => ({
  ...ofAll,
  accept: '',
  accepted: null,
  subject: 'benchmark',
  base: 'cannot be read',
  head: problem?.message ?? 'unknown',
  looser: true,
});

/** What base has and head has not is measured no more. */
const goneSystems = (base: Suite, head: Suite) =>
  listed('system', systemNames(base), systemNames(head))
    .filter(({ looser }) => looser)
    .map((difference) => ({ ...ofAll, ...difference }));

/**
 * @param base and the folder of its repository
 * @returns why one of them cannot be read
 */
async function readBoth(
  [base, ofBase]: [Suite, string],
  [head, ofHead]: [Suite, string],
  chosen: Chosen,
  k6: string | null,
): Promise<{ base: Ruler; head: Ruler } | UserError> {
  try {
    return {
      base: await readRuler(base, chosen, { top: ofBase, k6 }),
      head: await readRuler(head, chosen, { top: ofHead, k6 }),
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error;
  }
}

const opaqueNotes = ({ opaque = [] }: Ruler): string[] =>
  opaque.map((command) => `What \`${command}\` reads was not compared: it cannot be followed.`);

/**
 * Finds an A/A trial: two sides that are the same files are measured and judged as any two, and it is said. All files of the
 * repository count: a service may be anywhere in it.
 * @returns null: they differ, or it is unknown
 */
function sameFiles(base: DuetSide, head: DuetSide): Change | null {
  const same = { ...ofAll, accept: '', accepted: null, subject: 'files', head: 'the same', looser: false };
  if (base.root === head.root) return { ...same, base: base.label };
  if (base.tree === null || base.tree !== head.tree) return null;
  return { ...same, base: base.commit === head.commit ? `commit ${base.commit?.slice(0, 12)}` : base.label };
}

async function notesOf(head: DuetSide, here: { root: string }): Promise<string[]> {
  const { dirty } = await gitState(here.root);
  if (!dirty || head.url !== null || head.root === here.root) return [];
  return [`The working tree has changes that are not committed: they are not measured, ${head.label} is.`];
}
