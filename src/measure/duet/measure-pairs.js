import { Interrupted } from '../../process/failure.js';
import { randomOf, shuffled } from '../../session/random-order.js';
import { measurePair } from './measure-pair.js';
import { outcomeOf } from './pair-outcome.js';
import { plannedPair } from './planned-blocks.js';
import { prepareSide } from './prepare-side.js';
import { runsOf } from './side-runs.js';
import { changeTimes, touchedFile } from './untouched.js';

/** @import { Run } from '../../run-context.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { DuetContext, PairOutcome } from './pair-outcome.js' */

/**
 * Measures every case until it is decided, in random order.
 * @param {readonly PairedCase[]} pairs
 * @param {DuetContext} context
 * @param {Run} run
 * @returns {Promise<PairOutcome[]>} in the order of the spec
 */
export async function measurePairs(pairs, context, run) {
  const random = randomOf(context.seed);
  const runs = runsOf(context, run);
  const order = shuffled(pairs, random);
  /** @type {Map<PairedCase, PairOutcome>} */
  const outcomes = new Map(
    pairs.map((pair) => [pair, outcomeOf(pair, context, run, 'interrupted', 'interrupted before it began', 0)]),
  );
  try {
    const ofBase = await prepareSide(
      pairs.filter(({ obstacle }) => !obstacle).map(({ base }) => base),
      runs.base,
      'base',
    );
    const isApart = context.base.url === null && context.base.top !== context.head.top;
    const before = isApart ? changeTimes(context.base.top) : null;
    const ofHead = await prepareSide(
      pairs.map(({ head }) => head),
      runs.head,
      'head',
    );
    const touched = isApart ? touchedFile(before, changeTimes(context.base.top)) : null;
    const prepared = { base: ofBase, head: ofHead, touched };
    const shown = order.map((pair) => plannedPair(pair, context.blocks, context.rule.lanes?.blocks ?? 0));
    const most = Math.max(0, ...shown.map(({ blocks }) => blocks.length));
    const mayEndSooner = context.interimLooks.some((look) => look.blocks < context.blocks);
    run.progress.begin(shown, most, context.seed, { unit: 'block', mayEndSooner });
    for (const [index, pair] of order.entries()) {
      if (run.interrupt.asked) break;
      run.progress.beginCase(index);
      const outcome = await measurePair(pair, { ...context, cases: pairs.length, runs, random, prepared });
      run.progress.endCase(outcomeText(outcome), outcome.more);
      outcomes.set(pair, outcome);
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error; // while a side was prepared
  }
  run.progress.end();
  return [...outcomes.values()];
}

/** @param {PairOutcome} outcome */
const outcomeText = ({ status, reason, base_reason }) =>
  status === 'error' ? `ERROR: ${reason}` : (reason ?? base_reason ?? 'measured');
