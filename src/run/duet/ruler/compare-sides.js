import { join } from 'node:path';
import { UserError } from '../../../base/errors.js';
import { settingsOf } from '../../../suite/cases/duet-settings.js';
import { isOurs, systemNames } from '../../../suite/suite.js';
import { gitState } from '../../session/git-state.js';
import { repositoriesOf } from '../foreign-files.js';
import { hasNoBenchmark } from '../sides.js';
import { listed } from './difference.js';
import { readRuler } from './read-ruler.js';
import { acceptChanges, rulerDifferences } from './ruler.js';

/** @import { Case } from '../../../suite/cases/expand.js' */
/** @import { Suite } from '../../../suite/suite.js' */
/** @import { LaneSettings } from '../../../suite/cases/duet-settings.js' */
/** @import { DuetSide } from '../sides.js' */
/** @import { Accepted, Change, Ruler } from './ruler.js' */
/** @import { Chosen } from './read-ruler.js' */

/**
 * @typedef {object} SharedRule by what both sides are judged: base's rule, where base has one
 * @property {Change[]} changes how head's benchmark differs
 * @property {Change[]} gone systems that base has and head has not
 * @property {readonly Accepted[]} accept what base accepts
 * @property {readonly string[]} headFolders where files are that base must not run
 * @property {string[]} notes what else to know of the two sides
 * @property {(benchCase: Case) => Case['compare'] | null} compareOf gate, tolerances and alpha of a case; null: its own
 * @property {(benchCase: Case) => number} rankOf the place of a case among base's, behind them where base does not have it
 * @property {LaneSettings | null} lanes what is measured beside the solo lane
 * @property {string} reports the folder whose programs judge
 */

/**
 * The rule of a suite that is compared with itself, or with what has none: its own.
 * @param {Suite} suite
 * @returns {SharedRule}
 */
export const ownRule = (suite) => ({
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
 * @param {DuetSide} base
 * @param {DuetSide} head
 * @param {Chosen} chosen
 * @param {Suite} here the suite that one stands in
 * @param {string | null} [k6] the program, which tells what scripts read
 * @returns {Promise<SharedRule>}
 */
export async function compareSides(base, head, chosen, here, k6 = null) {
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
  const bare = (/** @type {Ruler} */ ruler) => (ours ? { ...ruler, programs: {} } : ruler);
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

/** @param {Case} benchCase */
const placeOf = ({ system, environment, name }) => `${system}/${environment}/${name}`;

const ofAll = { system: null, environment: null, case: null };

/**
 * @param {UserError | null} problem
 * @returns {Change}
 */
const unreadable = (problem) => ({
  ...ofAll,
  accept: '',
  accepted: null,
  subject: 'benchmark',
  base: 'cannot be read',
  head: problem?.message ?? 'unknown',
  looser: true,
});

/** What base has and head has not is measured no more. @param {Suite} base @param {Suite} head */
const goneSystems = (base, head) =>
  listed('system', systemNames(base), systemNames(head))
    .filter(({ looser }) => looser)
    .map((difference) => ({ ...ofAll, ...difference }));

/**
 * @param {[Suite, string]} base and the folder of its repository
 * @param {[Suite, string]} head
 * @param {Chosen} chosen
 * @param {string | null} k6
 * @returns {Promise<{ base: Ruler, head: Ruler } | UserError>} why one of them cannot be read
 */
async function readBoth([base, ofBase], [head, ofHead], chosen, k6) {
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

/** @param {Ruler} ruler @returns {string[]} */
const opaqueNotes = ({ opaque = [] }) =>
  opaque.map((command) => `What \`${command}\` reads was not compared: it cannot be followed.`);

/**
 * Finds an A/A trial: two sides that are the same files are measured and judged as any two, and it is said. All files of the
 * repository count: a service may be anywhere in it.
 * @param {DuetSide} base
 * @param {DuetSide} head
 * @returns {Change | null} null: they differ, or it is unknown
 */
function sameFiles(base, head) {
  const same = { ...ofAll, accept: '', accepted: null, subject: 'files', head: 'the same', looser: false };
  if (base.root === head.root) return { ...same, base: base.label };
  if (base.tree === null || base.tree !== head.tree) return null;
  return { ...same, base: base.commit === head.commit ? `commit ${base.commit?.slice(0, 12)}` : base.label };
}

/**
 * @param {DuetSide} head
 * @param {{ root: string }} here
 * @returns {Promise<string[]>}
 */
async function notesOf(head, here) {
  const { dirty } = await gitState(here.root);
  if (!dirty || head.url !== null || head.root === here.root) return [];
  return [`The working tree has changes that are not committed: they are not measured, ${head.label} is.`];
}
