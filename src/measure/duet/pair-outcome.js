// What came of one case of a duet, and how its two sides were brought together.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainScript } from '../../io/script-files.js';
import { alphaSpentAt } from '../../records/interim-looks.js';

/** @import { Case } from '../../cases/expand.js' */
/** @import { InterimLook } from '../../records/interim-looks.js' */
/** @import { Run } from '../../run-context.js' */
/** @import { Suite } from '../../suite.js' */
/** @import { LanesOutcome } from './measure-lanes.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { SharedRule } from './ruler/compare-sides.js' */
/** @import { SideFiles } from './side-files.js' */
/** @import { WhatRuns } from './what-runs.js' */
/** @import { Helped } from '../../cases/duet-settings.js' */
/** @import { DuetSide } from './sides.js' */
/** @import { SideName } from './split.js' */

/**
 * @typedef {{ base: DuetSide, head: DuetSide, blocks: number, interimLooks: readonly InterimLook[], seed: number,
 *   timing: { warmup_s: number, seconds: number }, helped: Helped, command: string,
 *   suite: Suite, rule: SharedRule, files: Record<SideName, SideFiles>, sources: ReadonlyMap<string, string> }} DuetContext
 *   interimLooks: when it may end before all blocks are done; helped: where it can be done; sources: by system, a source that is not
 *   the same on both sides
 * @typedef {{ benchCase: Case, folder: string, status: 'measured' | 'error' | 'interrupted', reason: string | null,
 *   base_reason: string | null, seen: WhatRuns, more?: string[],
 *   lanes: LanesOutcome | null,
 *   pair: { alpha_spent: number, lanes_alpha_spent: number, interleaved: string | null, apart: boolean, swapped_cores: boolean, kept_awake: boolean } }} PairOutcome
 *   base_reason: why there is nothing to compare with; seen: while the sides ran; more: lines that help to find out why; alpha_spent: by judging it now;
 *   lanes_alpha_spent: by judging its lanes, which are measured before, and the same at each look;
 *   swapped_cores: both sides did, in the blocks with one user; kept_awake: the cores did not fall idle in them
 */

/** @param {PairedCase} pair @param {Run} run */
export const folderOf = ({ solo }, run) => join(run.folder, solo.system, solo.environment, solo.name);

/**
 * @param {PairedCase} pair
 * @param {DuetContext} context
 * @param {Run} run
 * @param {PairOutcome['status']} status
 * @param {string | null} reason
 * @param {number} blocks that are done
 * @returns {PairOutcome}
 */
export const outcomeOf = (pair, { interimLooks, head }, run, status, reason, blocks) => ({
  benchCase: pair.solo,
  folder: folderOf(pair, run),
  status,
  reason,
  base_reason: null,
  seen: { foreign: null, program: null, crossed: null, image: null, starts: { base: [], head: [] } },
  lanes: null,
  pair: {
    alpha_spent: alphaSpentAt(interimLooks, blocks),
    lanes_alpha_spent: 1,
    ...howPaired(pair.solo, head.root),
    swapped_cores: false,
    kept_awake: false,
  },
});

/**
 * How the two sides of a case are brought together.
 * @param {Case} solo
 * @param {string} root head's
 */
export const howPaired = (solo, root) => ({
  interleaved: solo.interleaved,
  apart: solo.interleaved === null && playedApart(solo, root),
});

/**
 * Whether each side has a k6 process of its own: a script that knows nothing of two sides has state of one, and the
 * variables of a process are those of one side.
 * @param {Case} solo
 * @param {string} root head's
 */
function playedApart({ script, spec_dir, env }, root) {
  const file = script === null ? null : join(root, spec_dir, script);
  return file !== null && (env !== undefined || (existsSync(file) && isPlainScript(file)));
}
