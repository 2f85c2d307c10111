import { UserError } from '../../base/errors.js';
import { counted, formatDuration } from '../../base/format.js';
import { scheduleOf } from '../session/eta.js';

/** @import { Case } from '../../suite/cases/expand.js' */

/** How long a case takes, with what is beside its loads. @param {Case} benchCase @param {number} rounds @returns {number | null} seconds */
const lengthOf = (benchCase, rounds) => scheduleOf([benchCase], rounds).left();

/**
 * Refuses a time in which nothing can be measured.
 * @param {readonly Case[]} cases
 * @param {number | undefined} seconds
 * @param {number} rounds
 * @throws {UserError}
 */
export function refuseTooShort(cases, seconds, rounds) {
  const shortest = Math.min(...cases.map((benchCase) => lengthOf(benchCase, rounds) ?? 0));
  if (seconds === undefined || cases.length === 0 || shortest < seconds) return;
  throw new UserError(
    `--budget is ${formatDuration(seconds)}, and the shortest case takes ${formatDuration(Math.ceil(shortest))}`,
    {
      hint: 'A longer budget, fewer --rounds or a shorter --profile.',
    },
  );
}

/**
 * A time in which cases are measured: none is begun that would end later. One that ends when its iterations are done is begun as
 * long as there is time at all.
 * @param {number | undefined} seconds from now on; undefined: there is no end
 * @param {number} rounds of each case
 * @returns {{ fits: (benchCase: Case) => boolean, leftText: () => string }} fits: is there time for it? leftText: what there was no
 *   time for; '': nothing
 */
export function budgetOf(seconds, rounds) {
  const since = performance.now();
  /** @type {(number | null)[]} */
  const left = [];
  return {
    fits(benchCase) {
      if (seconds === undefined) return true;
      const takes = lengthOf(benchCase, rounds);
      const spent = (performance.now() - since) / 1000;
      if (spent + (takes ?? 0) < seconds) return true;
      left.push(takes);
      return false;
    },
    leftText() {
      if (left.length === 0) return '';
      const known = left.reduce((/** @type {number} */ sum, length_s) => sum + (length_s ?? 0), 0);
      return `no time was left for ${counted(left.length, 'case')}, of about ${formatDuration(Math.round(known))}`;
    },
  };
}
