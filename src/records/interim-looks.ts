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
  /** blocks: share */
  const looks: Map<number, number> = new Map();
  for (const [part, share] of limits.interim_looks) {
    const at = Math.min(blocks, Math.max(limits.interim_blocks, Math.ceil(part * blocks)));
    looks.set(at, (looks.get(at) ?? 0) + share);
  }
  return [...looks].map(([at, share]) => ({ blocks: at, alpha_spent: Math.round(share * 10) / 10 }));
}

/**
 * What judging so many blocks spends of alpha: that of the look that is due.
 * @param looks none: it is judged once
 * @returns above 0, at most 1
 */
export const alphaSpentAt = (looks: readonly InterimLook[], blocks: number): number =>
  looks.find((look) => look.blocks >= blocks)?.alpha_spent ?? 1;
