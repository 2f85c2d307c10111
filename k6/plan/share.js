import { refuse } from '../shared/refuse.js';

/** @import { Case } from '../../src/spec/index.js' */

/**
 * One of n consecutive k6 processes that share the window of a case, so that none outgrows the memory: each warms up,
 * and then measures its share of the window. They begin at different places of shared rows.
 * @param {Case} whole
 * @param {string | undefined} share "2/3"; not given: the whole
 * @returns {{ benchCase: Case, rowsFrom: number }} rowsFrom: as a share of the rows
 */
export function cutToShare(whole, share) {
  if (!share) return { benchCase: whole, rowsFrom: 0 };
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(share)?.map(Number) ?? [];
  if (!(part >= 1 && part <= parts)) refuse(`DURATION_SHARE is "${share}", and must be like 2/3`);
  const { window, duration_s, k6 } = whole;
  if (!k6.executor.startsWith('constant-')) refuse(`DURATION_SHARE: a scenario of ${k6.executor} cannot be cut`);
  const seconds = window.from_s + (Number(window.to_s ?? duration_s) - window.from_s) / parts;
  const cut = { k6: { ...k6, duration: `${seconds}s` }, duration_s: seconds, window: { ...window, to_s: seconds } };
  return { benchCase: { ...whole, ...cut }, rowsFrom: (part - 1) / parts };
}
