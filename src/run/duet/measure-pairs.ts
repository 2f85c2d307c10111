import { Interrupted } from '../../base/process/failure.js';
import type { Run } from '../run-context.js';
import { shuffled } from '../session/random-order.js';
import type { DuetContext } from './contexts.js';
import { measurePair } from './measure-pair.js';
import type { PairedCase } from './pair-cases.js';
import { notBegun, type PairOutcome } from './pair-outcome.js';
import { plannedPair } from './planned-blocks.js';
import { prepareSide } from './prepare-side.js';
import { changeTimes, touchedFile } from './untouched.js';

/**
 * Measures every case until it is decided, in random order.
 * @returns in the order of the spec
 */
export async function measurePairs(pairs: readonly PairedCase[], duet: DuetContext, run: Run): Promise<PairOutcome[]> {
  const { base, head, runs } = duet;
  const order = shuffled(pairs, duet.random);
  const outcomes: Map<PairedCase, PairOutcome> = new Map(pairs.map((pair) => [pair, notBegun(pair, duet)]));
  try {
    const ofBase = await prepareSide(
      pairs.filter(({ obstacle }) => !obstacle).map((pair) => pair.base),
      runs.base,
      'base',
    );
    const isApart = base.url === null && base.top !== head.top;
    const before = isApart ? changeTimes(base.top) : null;
    const ofHead = await prepareSide(
      pairs.map((pair) => pair.head),
      runs.head,
      'head',
    );
    const touched = isApart ? touchedFile(before, changeTimes(base.top)) : null;
    const prepared = { base: ofBase, head: ofHead, touched };
    const shown = order.map((pair) => plannedPair(pair, duet.blocks));
    const most = Math.max(0, ...shown.map(({ blocks }) => blocks.length));
    const mayEndSooner = duet.interimLooks.some((look) => look.blocks < duet.blocks);
    run.progress.begin(shown, most, duet.seed, { unit: 'block', mayEndSooner });
    for (const [index, pair] of order.entries()) {
      if (run.interrupt.asked) break;
      run.progress.beginCase(index);
      const outcome = await measurePair(pair, prepared, duet);
      run.progress.endCase(outcomeText(outcome), outcome.more);
      outcomes.set(pair, outcome);
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error; // while a side was prepared
  }
  run.progress.end();
  return [...outcomes.values()];
}

const outcomeText = ({ status, reason, base_reason }: PairOutcome) =>
  status === 'error' ? `ERROR: ${reason}` : (reason ?? base_reason ?? 'measured');
