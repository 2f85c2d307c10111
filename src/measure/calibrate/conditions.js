/**
 * What a trial compares: the system with itself (A/A), or with itself and more work in each request (A/B with known effect).
 * @typedef {{ name: string, env: Record<string, string>, bursts: boolean, weight: number }} Condition name: "aa",
 *   "aa-noisy" or that of a slowdown; env: added to head's services; bursts: other programs load the machine
 *   meanwhile; weight: how many of its trials there are to one of a slowdown
 */

/** False positives are rare, and only many trials say how rare; a slowdown is found or not in most of them. */
const weights = { aa: 8, noisy: 2, slowdown: 1 };

/**
 * The conditions of a system.
 * @param {{ slowdowns?: Record<string, Record<string, string | number | boolean>> }} calibrate the spec's table
 * @returns {Condition[]}
 */
export const conditionsOf = ({ slowdowns = {} }) => [
  { name: 'aa', env: {}, bursts: false, weight: weights.aa },
  { name: 'aa-noisy', env: {}, bursts: true, weight: weights.noisy },
  ...Object.entries(slowdowns).map(([name, env]) => ({
    name,
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    bursts: false,
    weight: weights.slowdown,
  })),
];

/**
 * The condition that has the fewest trials for its weight.
 * @param {readonly Condition[]} conditions
 * @param {ReadonlyMap<string, number>} counts trials that are kept, by condition
 * @returns {Condition}
 */
export const nextCondition = (conditions, counts) =>
  conditions.reduce((least, one) => (shareOf(one, counts) < shareOf(least, counts) ? one : least));

/** @param {Condition} condition @param {ReadonlyMap<string, number>} counts */
const shareOf = ({ name, weight }, counts) => (counts.get(name) ?? 0) / weight;
