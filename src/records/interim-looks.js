/**
 * An interim look (group-sequential): after so many blocks the duet is judged, and may end; alpha_spent: the part of
 * alpha that this spends.
 * @typedef {{ blocks: number, alpha_spent: number }} InterimLook
 */

/**
 * When a duet is judged, and what part of alpha each time spends. The parts add up to one: however looks depend on each
 * other, all of them together keep alpha (Bonferroni). Most of it is for the end: what is seen with half of the blocks is a
 * large change, which is seen with a small share too, while small ones need all blocks and all that can be spent.
 * @param {number} blocks at the most
 * @returns {InterimLook[]} in order, the last after all blocks
 */
export function interimLooks(blocks) {
  const schedule = [
    [1 / 2, 0.1],
    [3 / 4, 0.2],
    [1, 0.7],
  ];
  /** @type {Map<number, number>} blocks: share */
  const looks = new Map();
  for (const [part, share] of schedule) {
    const at = Math.min(blocks, Math.max(fewest, Math.ceil(part * blocks)));
    looks.set(at, (looks.get(at) ?? 0) + share);
  }
  return [...looks].map(([at, share]) => ({ blocks: at, alpha_spent: Math.round(share * 10) / 10 }));
}

/** Of fewer blocks an interval is too wide to decide anything. */
const fewest = 3;

/**
 * What judging so many blocks spends of alpha: that of the look that is due.
 * @param {readonly InterimLook[]} looks none: it is judged once
 * @param {number} blocks
 * @returns {number} above 0, at most 1
 */
export const alphaSpentAt = (looks, blocks) => looks.find((look) => look.blocks >= blocks)?.alpha_spent ?? 1;
