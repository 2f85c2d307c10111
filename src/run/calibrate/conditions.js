/**
 * What a trial compares: the system with itself (A/A), or with itself and a change of known kind (A/B with known effect).
 * @typedef {{ name: string, env: Record<string, string>, both: Record<string, string>, bursts: boolean, checkouts: boolean,
 *   weight: number }} Condition name: "aa", "aa-noisy", "aa-checkouts" or that of a kind; env: variables added to head's services; both:
 *   to those of both sides; bursts: other programs load the machine meanwhile; checkouts: each side has a checkout of its own, built
 *   apart; weight: how many of its trials there are to one of a kind
 * @typedef {Record<string, string | number | boolean>} Variables
 */

/** False positives are rare, and only many trials say how rare; a change is found or not in most of them. */
const weights = { aa: 12, noisy: 6, checkouts: 6, kind: 1 };

/**
 * The conditions of a system.
 * @param {{ kinds?: Record<string, { head: Variables, both?: Variables }> }} calibrate the spec's table
 * @returns {Condition[]}
 */
export const conditionsOf = ({ kinds = {} }) => [
  { ...unchanged, name: 'aa', weight: weights.aa },
  { ...unchanged, name: 'aa-noisy', bursts: true, weight: weights.noisy },
  { ...unchanged, name: 'aa-checkouts', checkouts: true, weight: weights.checkouts },
  ...Object.entries(kinds).map(([name, { head, both = {} }]) => ({
    ...unchanged,
    name,
    env: texts(head),
    both: texts(both),
    weight: weights.kind,
  })),
];

const unchanged = { env: {}, both: {}, bursts: false, checkouts: false };

/** @param {Variables} variables @returns {Record<string, string>} */
const texts = (variables) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));

/**
 * The condition that has the fewest trials for its weight.
 * @param {readonly Condition[]} conditions
 * @param {ReadonlyMap<string, number>} counts trials that are kept, by condition
 * @returns {Condition}
 */
export const nextCondition = (conditions, counts) =>
  conditions.reduce((least, condition) => (shareOf(condition, counts) < shareOf(least, counts) ? condition : least));

/** @param {Condition} condition @param {ReadonlyMap<string, number>} counts */
const shareOf = ({ name, weight }, counts) => (counts.get(name) ?? 0) / weight;
