import { UserError } from '../../base/errors.js';
import { counted, formatDuration } from '../../base/format.js';
import type { Case } from '../../suite/cases/expand.js';
import { scheduleOf } from '../session/eta.js';

/**
 * How long a case takes, with what is beside its loads.
 * @returns seconds
 */
const lengthOf = (benchCase: Case, rounds: number): number | null => scheduleOf([benchCase], rounds).left();

/**
 * Refuses a time in which nothing can be measured.
 * @throws {UserError}
 */
export function refuseTooShort(cases: readonly Case[], seconds: number | undefined, rounds: number) {
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
 * @param seconds from now on; undefined: there is no end
 * @param rounds of each case
 * @returns fits: is there time for it? leftText: names the cases that it had no time for; '': none
 */
export function budgetOf(
  seconds: number | undefined,
  rounds: number,
): { fits: (benchCase: Case) => boolean; leftText: () => string } {
  const since = performance.now();
  const left: (number | null)[] = [];
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
      const known = left.reduce((sum: number, length_s) => sum + (length_s ?? 0), 0);
      return `no time was left for ${counted(left.length, 'case')}, of about ${formatDuration(Math.round(known))}`;
    },
  };
}
