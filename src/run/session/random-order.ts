import { randomInt } from 'node:crypto';

/**
 * A seed for a run that was given none.
 * @returns 0 <= seed < 2^32
 */
export const newSeed = (): number => randomInt(2 ** 32);

/**
 * The random numbers of a seed: Mulberry32 (Tommy Ettinger, public domain), 32 bits of state, enough to shuffle a list.
 * @returns the next one, 0 <= x < 1
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A list in random order (Fisher and Yates).
 * @returns a new list
 */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other], result[last]];
  }
  return result;
}

/**
 * The order in which cases are measured: random, so that a machine that gets slower over an hour does not make the last
 * scenario look worse. Cases that share their services (`restart = "environment"`) stay together.
 * @param seed the same seed gives the same order
 */
export function orderOf<T extends { system: string; environment: string; restart: string }>(
  cases: readonly T[],
  seed: number,
): T[] {
  const groups: Map<unknown, T[]> = new Map();
  for (const item of cases) {
    const key = item.restart === 'environment' ? `${item.system}/${item.environment}` : item;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const random = randomOf(seed);
  return shuffled([...groups.values()], random).flatMap((group) => shuffled(group, random));
}
