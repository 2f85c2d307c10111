import { join } from 'node:path';
import { UserError } from '../../../errors.js';
import { gitState } from '../../../session/git-state.js';
import { isOurs, loadSuite } from '../../../suite.js';
import { gitIn } from '../../../tools/git.js';
import { repositoriesOf } from '../foreign-files.js';
import { settingsOf } from '../settings.js';
import { acceptChanges, rulerDifferences } from './index.js';
import { readRuler } from './read.js';

/** @import { Case } from '../../../cases/expand.js' */
/** @import { LaneSettings } from '../settings.js' */
/** @import { DuetSide } from '../sides.js' */
/** @import { Change, Ruler } from './index.js' */
/** @import { Chosen } from './read.js' */

/**
 * @typedef {object} SharedRule by what both sides are judged: base's rule, where base has one
 * @property {Change[]} changes how head's benchmark differs
 * @property {readonly { change: string, reason: string }[]} accept what base accepts
 * @property {readonly string[]} headFolders where files are that base must not run
 * @property {string[]} notes what else to know of the two sides
 * @property {(benchCase: Case) => Case['compare'] | null} compareOf gate, tolerances and alpha of a case; null: its own
 * @property {(benchCase: Case) => number} rankOf the place of a case among base's, behind them where base does not have it
 * @property {LaneSettings | null} lanes what is measured beside the solo lane
 * @property {string} reports the folder whose programs judge
 */

/**
 * The rule of a side that is compared with itself: its own.
 * @param {string} root of the suite
 * @returns {SharedRule}
 */
export const ownRule = (root) => ({
  changes: [],
  accept: [],
  headFolders: [],
  notes: [],
  compareOf: () => null,
  rankOf: () => 0,
  lanes: lanesOf(root),
  reports: join(root, 'reports'),
});

/**
 * Compares what the two sides of a duet measure and expect. Whoever asks for a change may not set the rule that the
 * change is judged by.
 * @param {DuetSide} base
 * @param {DuetSide} head
 * @param {Chosen} chosen
 * @param {{ root: string }} here the suite that one stands in
 * @returns {Promise<SharedRule>}
 */
export async function compareSides(base, head, chosen, here) {
  const notes = await notesOf(head, here);
  const own = { ...ownRule(head.root), notes };
  if (base.url !== null || head.url !== null) return own;
  const same = await sameFiles(base, head, here.root);
  if (same !== null) return { ...own, changes: [same] };
  const rulers = readBoth(base, head, chosen);
  if ('changes' in rulers) return { ...own, changes: rulers.changes };
  const ours = isOurs({ root: head.root }); // there reports/ is the product, and not somebody's own rule
  const bare = (/** @type {Ruler} */ ruler) => (ours ? { ...ruler, programs: {} } : ruler);
  const rules = new Map(rulers.base.cases.map((benchCase) => [placeOf(benchCase), benchCase.compare]));
  const places = [...rules.keys()];
  // All cases share the smallest budget: one that base does not have may not make it smaller.
  const alpha = Math.min(...[...rules.values()].map((compare) => compare.alpha));
  return {
    changes: acceptChanges(rulerDifferences(bare(rulers.base), bare(rulers.head)), rulers.accept),
    accept: rulers.accept,
    headFolders: await repositoriesOf([head.root, here.root]),
    notes,
    compareOf: (benchCase) =>
      rules.get(placeOf(benchCase)) ??
      (rules.size > 0 && benchCase.compare.alpha < alpha ? { ...benchCase.compare, alpha } : null),
    rankOf: (benchCase) => (places.includes(placeOf(benchCase)) ? places.indexOf(placeOf(benchCase)) : places.length),
    lanes: lanesOf(base.root),
    reports: ours ? own.reports : join(base.root, 'reports'),
  };
}

/** @param {string} root of a suite */
const lanesOf = (root) => settingsOf(loadSuite(root).bench).lanes;

/** @param {Case} benchCase */
const placeOf = ({ system, environment, name }) => `${system}/${environment}/${name}`;

const ofAll = { system: null, environment: null, case: null, accepted: null };

/**
 * @param {DuetSide} base
 * @param {DuetSide} head
 * @param {Chosen} chosen
 * @returns {{ base: Ruler, head: Ruler, accept: { change: string, reason: string }[] } | { changes: Change[] }} changes:
 *   base's rule cannot be read
 */
function readBoth(base, head, chosen) {
  try {
    const accept = loadSuite(base.root).bench.accept ?? [];
    return { base: readRuler(base.root, chosen), head: readRuler(head.root, chosen), accept };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { changes: [{ ...ofAll, subject: 'benchmark', base: 'cannot be read', head: error.message, looser: true }] };
  }
}

/**
 * Finds an A/A trial: two sides that are the same files are measured and judged as any two, and it is said.
 * @param {DuetSide} base
 * @param {DuetSide} head
 * @param {string} root of the repository
 * @returns {Promise<Change | null>} null: they differ, or it is unknown
 */
async function sameFiles(base, head, root) {
  const same = { ...ofAll, subject: 'files', head: 'the same', looser: false };
  if (base.root === head.root) return { ...same, base: base.label };
  if (base.commit === null || head.commit === null || base.dirty || head.dirty) return null;
  if (base.commit === head.commit) return { ...same, base: `commit ${base.commit.slice(0, 12)}` };
  const differ = await gitIn(root)(['diff', '--name-only', base.commit, head.commit, '--', '.']).catch(() => null);
  return differ === null || String(differ).trim() !== '' ? null : { ...same, base: base.label };
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
