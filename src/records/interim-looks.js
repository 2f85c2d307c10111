import { limits } from '../suite/cases/tables.js';

/**
 * An interim look (group-sequential): after so many blocks the duet is judged, and may end; alpha_spent: the part of
 * alpha that this spends.
 * @typedef {{ blocks: number, alpha_spent: number }} InterimLook
 */

/**
 * When a duet is judged, and what part of alpha each time spends; reports/lib/tables/limits.jq has the schedule, and why.
 * @param {number} blocks at the most
 * @returns {InterimLook[]} in order, the last after all blocks
 */
export function interimLooks(blocks) {
  /** @type {Map<number, number>} blocks: share */
  const looks = new Map();
  for (const [part, share] of limits.interim_looks) {
    const at = Math.min(blocks, Math.max(limits.interim_blocks, Math.ceil(part * blocks)));
    looks.set(at, (looks.get(at) ?? 0) + share);
  }
  return [...looks].map(([at, share]) => ({ blocks: at, alpha_spent: Math.round(share * 10) / 10 }));
}

/**
 * What judging so many blocks spends of alpha: that of the look that is due.
 * @param {readonly InterimLook[]} looks none: it is judged once
 * @param {number} blocks
 * @returns {number} above 0, at most 1
 */
export const alphaSpentAt = (looks, blocks) => looks.find((look) => look.blocks >= blocks)?.alpha_spent ?? 1;
