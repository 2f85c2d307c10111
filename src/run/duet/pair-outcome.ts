// What came of one case of a duet, and how its two sides were brought together.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainScript } from '../../base/io/script-files.js';
import { alphaSpentAt } from '../../records/interim-looks.js';
import type { Case } from '../../suite/cases/expand.js';
import type { Run } from '../run-context.js';
import type { HelperName } from './block-helpers.js';
import type { CaseContext, DuetContext } from './contexts.js';
import { type LanesOutcome, lanesOutcome } from './measure-lanes.js';
import type { PairedCase } from './pair-cases.js';
import { nothingSeen, type WhatRuns } from './what-runs.js';

/**
 * base_reason: why there is nothing to compare with; seen: while the sides ran; more: lines that help to find out why;
 * alpha_spent: by judging it now; lives_on: a side has no service that is started for a block; over_budget: its budget in
 * seconds, where that ended it; swapped_cores: both sides did, with one user; kept_awake: the cores did not fall idle then
 */
export type PairOutcome = {
  benchCase: Case;
  folder: string;
  status: 'measured' | 'error' | 'interrupted';
  reason: string | null;
  base_reason: string | null;
  seen: WhatRuns;
  more?: string[];
  lanes: LanesOutcome | null;
  pair: {
    alpha_spent: number;
    interleaved: string | null;
    apart: boolean;
    lives_on: boolean;
    over_budget?: number;
    swapped_cores: boolean;
    kept_awake: boolean;
  };
};

export const folderOf = ({ solo }: PairedCase, run: Run) => join(run.folder, solo.system, solo.environment, solo.name);

/** @returns of a case that was not begun */
export const notBegun = (pair: PairedCase, { interimLooks, head, runs }: DuetContext): PairOutcome => ({
  benchCase: pair.solo,
  folder: folderOf(pair, runs.head),
  status: 'interrupted',
  reason: 'interrupted before it began',
  base_reason: null,
  seen: nothingSeen(),
  lanes: null,
  pair: {
    alpha_spent: alphaSpentAt(interimLooks, 0),
    ...howPaired(pair.solo, head.root),
    lives_on: livesOn(pair),
    swapped_cores: false,
    kept_awake: false,
  },
});

/**
 * The outcome of a case so far.
 * @param end why it ended, where it was not measured to its end
 */
export async function outcomeOf(
  context: CaseContext,
  {
    status = 'measured',
    reason = null,
    base_reason = null,
  }: { status?: PairOutcome['status']; reason?: string | null; base_reason?: string | null } = {},
): Promise<PairOutcome> {
  const { duet, pair, folder, watch, helpers, how, done } = context;
  const worked = (name: HelperName) => how.interleaved === null && helpers.worked(name);
  return {
    benchCase: pair.solo,
    folder,
    status,
    reason,
    base_reason,
    seen: watch.found,
    lanes: await lanesOutcome(context),
    pair: {
      alpha_spent: alphaSpentAt(duet.interimLooks, done),
      ...how,
      lives_on: livesOn(pair),
      ...(context.over_budget && { over_budget: duet.budget_s }),
      swapped_cores: worked('swap-cores'),
      kept_awake: worked('keep-awake'),
    },
  };
}

/**
 * How the two sides of a case are brought together.
 * @param root head's
 */
export const howPaired = (solo: Case, root: string) => ({
  interleaved: solo.interleaved,
  apart: solo.interleaved === null && playedApart(solo, root),
});

/** @returns does a side run already, as an address does? */
const livesOn = ({ base, head }: PairedCase): boolean => [base, head].some(({ services }) => services.length === 0);

/**
 * Whether each side has a k6 process of its own: a script that knows nothing of two sides has state of one, and the
 * variables of a process are those of one side.
 * @param root head's
 */
function playedApart({ script, spec_dir, env }: Case, root: string) {
  const file = script === null ? null : join(root, spec_dir, script);
  return file !== null && (env !== undefined || (existsSync(file) && isPlainScript(file)));
}
