// What came of one case of a duet, and how its two sides were brought together.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainScript } from '../../base/io/script-files.js';
import { alphaSpentAt } from '../../records/interim-looks.js';
import { nothingSeen } from './what-runs.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Run } from '../run-context.js' */
/** @import { HelperName } from './block-helpers.js' */
/** @import { CaseContext, DuetContext } from './contexts.js' */
/** @import { LanesOutcome } from './measure-lanes.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { WhatRuns } from './what-runs.js' */

/**
 * @typedef {{ benchCase: Case, folder: string, status: 'measured' | 'error' | 'interrupted', reason: string | null,
 *   base_reason: string | null, seen: WhatRuns, more?: string[],
 *   lanes: LanesOutcome | null,
 *   pair: { alpha_spent: number, lanes_alpha_spent: number, interleaved: string | null, apart: boolean, lives_on: boolean, swapped_cores: boolean, kept_awake: boolean } }} PairOutcome
 *   base_reason: why there is nothing to compare with; seen: while the sides ran; more: lines that help to find out why; alpha_spent: by judging it now;
 *   lanes_alpha_spent: by judging its lanes, which are measured before, and the same at each look;
 *   lives_on: a side has no service that is started for a block; swapped_cores: both sides did, in the blocks with one user; kept_awake: the cores did not fall idle in them
 */

/** @param {PairedCase} pair @param {Run} run */
export const folderOf = ({ solo }, run) => join(run.folder, solo.system, solo.environment, solo.name);

/**
 * @param {PairedCase} pair
 * @param {DuetContext} duet
 * @returns {PairOutcome} of a case that was not begun
 */
export const notBegun = (pair, { interimLooks, head, runs }) => ({
  benchCase: pair.solo,
  folder: folderOf(pair, runs.head),
  status: 'interrupted',
  reason: 'interrupted before it began',
  base_reason: null,
  seen: nothingSeen(),
  lanes: null,
  pair: {
    alpha_spent: alphaSpentAt(interimLooks, 0),
    lanes_alpha_spent: 1,
    ...howPaired(pair.solo, head.root),
    lives_on: livesOn(pair),
    swapped_cores: false,
    kept_awake: false,
  },
});

/**
 * What has come of a case so far.
 * @param {CaseContext} context
 * @param {{ status?: PairOutcome['status'], reason?: string | null, base_reason?: string | null }} [end] why it ended, where it was
 *   not measured to its end
 * @returns {PairOutcome}
 */
export function outcomeOf(context, { status = 'measured', reason = null, base_reason = null } = {}) {
  const { duet, pair, folder, watch, helpers, how, done, lanes } = context;
  const worked = (/** @type {HelperName} */ name) => how.interleaved === null && helpers.worked(name);
  return {
    benchCase: pair.solo,
    folder,
    status,
    reason,
    base_reason,
    seen: watch.found,
    lanes,
    pair: {
      alpha_spent: alphaSpentAt(duet.interimLooks, done),
      lanes_alpha_spent: 1,
      ...how,
      lives_on: livesOn(pair),
      swapped_cores: worked('swap-cores'),
      kept_awake: worked('keep-awake'),
    },
  };
}

/**
 * How the two sides of a case are brought together.
 * @param {Case} solo
 * @param {string} root head's
 */
export const howPaired = (solo, root) => ({
  interleaved: solo.interleaved,
  apart: solo.interleaved === null && playedApart(solo, root),
});

/** @param {PairedCase} pair @returns {boolean} does a side run already, as an address does? */
const livesOn = ({ base, head }) => [base, head].some(({ services }) => services.length === 0);

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
