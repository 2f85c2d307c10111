/** A second of a load. cost: CPU time of an iteration, in any unit; null: not known */
export type LoadedSecond = { iterations: number; cost: number | null };

/**
 * What it takes to get warm: so many iterations, which took so many seconds. steady: their cost no longer fell at the end
 */
export type Steady = { iterations: number; seconds: number; steady: boolean };

/**
 * Seconds of two sides that were loaded at the same time: what one takes from the other, on shared cores, is in neither then. Its
 * iterations are those of the side that did more.
 */
export const atOnce = (one: readonly LoadedSecond[], other: readonly LoadedSecond[]): LoadedSecond[] =>
  one.slice(0, other.length).map(({ iterations, cost }, i) => ({
    iterations: Math.max(iterations, other[i].iterations),
    cost: cost === null || other[i].cost === null ? null : cost + Number(other[i].cost),
  }));

/**
 * How many times as much as at the end an iteration of a warm service may cost: of two JVMs together it was 7 to 14 ms in
 * the second second, 0.8 after 6 to 12, 0.35 after 17. To wait for the last of these doubles the warm-up, and the scatter stays.
 */
const warmFactor = 2;

/** How many times as much four seconds cost as the next four, where the service is far from warm: garbage collection makes a tenth. */
const fallFactor = 1.5;

/** How many seconds are looked at together: those of a compiler that works in steps scatter. */
const together = { steady: 4, warm: 2 };

/**
 * After which second of a load a service is warm: from then on, no two seconds cost more than twice as much as the last four do;
 * 0: it is from the start. It is steady if the last four seconds do not cost a third less than the four before them.
 * Where CPU time is not known, the time that an iteration takes of a second stands for it.
 * @param seconds from the start of the load on
 */
export function steadyAfter(seconds: readonly LoadedSecond[]): Steady {
  const known = seconds.every(({ cost }) => cost !== null);
  const costOf = (from: number, to: number) => {
    const looked = seconds.slice(Math.max(0, from), Math.max(0, to));
    const iterations = looked.reduce((sum, second) => sum + second.iterations, 0);
    const spent = looked.reduce((sum, second) => sum + (known ? Number(second.cost) * second.iterations : 1), 0);
    return iterations === 0 ? Infinity : spent / iterations;
  };
  const end = seconds.length;
  const last = costOf(end - together.steady, end);
  const before = costOf(end - 2 * together.steady, end - together.steady);
  let warm = Math.max(0, end - together.warm);
  while (warm > 0 && costOf(warm - 1, warm - 1 + together.warm) <= warmFactor * last) warm -= 1;
  const needed = warm === 0 ? 0 : warm + 1; // the second in which it got so is a part of it
  return {
    iterations: seconds.slice(0, needed).reduce((sum, { iterations }) => sum + iterations, 0),
    seconds: needed,
    steady: Number.isFinite(last) && before <= fallFactor * last,
  };
}
