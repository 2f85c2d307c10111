import { limits } from '../suite/cases/tables.js';

/**
 * An interim look (group-sequential): after so many blocks the duet is judged, and may end; alpha_spent: the part of
 * alpha that this spends.
 */
export type InterimLook = { blocks: number; alpha_spent: number };

/**
 * When a duet is judged, and what part of alpha each time spends; reports/lib/tables/limits.jq has the schedule, and why.
 * @param blocks at the most
 * @returns in order, the last after all blocks
 */
export function interimLooks(blocks: number): InterimLook[] {
  const schedule: [number, number][] = limits.interim_looks;
  const sooner = schedule.slice(0, -1).filter(([at]) => at < blocks);
  const left = 1 - sooner.reduce((sum, [, share]) => sum + share, 0);
  return [...sooner, [blocks, left]].map(([at, share]) => ({ blocks: at, alpha_spent: Math.round(share * 100) / 100 }));
}

/**
 * What judging so many blocks spends of alpha: that of the look that is due.
 * @param looks none: it is judged once
 * @returns above 0, at most 1
 */
export const alphaSpentAt = (looks: readonly InterimLook[], blocks: number): number =>
  looks.find((look) => look.blocks >= blocks)?.alpha_spent ?? 1;
