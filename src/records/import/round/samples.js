import { quantileGrid } from '../../../suite/cases/quantiles.js';
import { finding, withExpected } from './round.js';

/** @import { Counts, Distribution, Finding, Round } from './round.js' */

/**
 * What one line says of a sample, with its time in milliseconds. Of bytes and users null: the file does not say.
 * @typedef {{ fromMs: number, ms: number, failed: boolean, lost: boolean, badStatus: boolean, received: number | null,
 *   sent: number | null, users: number | null }} Sample
 *
 * @typedef {{ count: number, errors: number, lost: number, badStatus: number, received: number | null, sent: number | null,
 *   users: number | null, fromMs: number, toMs: number, times: number[] }} Tally
 */

/** More names than these have no page that shows them, and often are one request whose address has an id. */
const mostNames = 100;

/** The name of what has none, in other tools' files. */
export const unnamed = '(no name)';

/** Samples by name: all are kept, so that quantiles are exact. */
export class Samples {
  /** @type {Map<string, Tally>} */
  #named = new Map();

  /** @param {string} name @param {Sample} sample */
  add(name, sample) {
    const tally = this.#named.get(name) ?? emptyTally();
    this.#named.set(name, tally);
    tally.count += 1;
    tally.errors += Number(sample.failed);
    tally.lost += Number(sample.lost);
    tally.badStatus += Number(sample.badStatus);
    tally.received = sum(tally.received, sample.received);
    tally.sent = sum(tally.sent, sample.sent);
    tally.users = most(tally.users, sample.users);
    tally.fromMs = Math.min(tally.fromMs, sample.fromMs);
    tally.toMs = Math.max(tally.toMs, sample.fromMs + sample.ms);
    tally.times.push(sample.ms);
  }

  get size() {
    return this.#named.size;
  }

  /** All samples as one. @returns {Tally} */
  get all() {
    return joined([...this.#named.values()]);
  }

  /**
   * By name, those with the most samples first; rare ones are joined as one before their distributions are made.
   * @returns {[name: string, tally: Tally][]}
   */
  get named() {
    const sorted = [...this.#named].sort(([, a], [, b]) => b.count - a.count);
    if (sorted.length <= mostNames) return sorted;
    const rare = sorted.splice(mostNames);
    return [...sorted, [othersName(rare.length), joined(rare.map(([, tally]) => tally))]];
  }

  /**
   * What a round says of each name; nothing where the file has none.
   * @param {QuantileRule} rule
   * @returns {Round['requests']}
   */
  requests(rule) {
    if (this.size === 1 && this.#named.has(unnamed)) return {};
    return Object.fromEntries(
      this.named.map(([name, tally]) => [
        name,
        { counts: countsOf(tally), latency: distributionOfSamples(tally, rule) },
      ]),
    );
  }

  /** Says that some were joined. @param {string} noun "labels" @returns {Finding | false} */
  joinedFinding(noun) {
    if (this.size <= mostNames) return false;
    return finding(
      'joined-names',
      'warn',
      `There are ${this.size} ${noun}: ${mostNames} have a row of their own, and the ${this.size - mostNames} with the fewest samples are one. Where addresses with ids are ${noun}, name the requests in the tool.`,
    );
  }
}

/** @param {number} count */
const othersName = (count) => `(${count} others)`;

/** @returns {Tally} */
const emptyTally = () => ({
  count: 0,
  errors: 0,
  lost: 0,
  badStatus: 0,
  received: 0,
  sent: 0,
  users: null,
  fromMs: Infinity,
  toMs: -Infinity,
  times: [],
});

/** @param {Tally[]} tallies @returns {Tally} */
function joined(tallies) {
  const all = emptyTally();
  for (const tally of tallies) {
    for (const key of /** @type {const} */ (['count', 'errors', 'lost', 'badStatus'])) all[key] += tally[key];
    all.received = sum(all.received, tally.received);
    all.sent = sum(all.sent, tally.sent);
    all.users = most(all.users, tally.users);
    all.fromMs = Math.min(all.fromMs, tally.fromMs);
    all.toMs = Math.max(all.toMs, tally.toMs);
    for (const time of tally.times) all.times.push(time);
  }
  return all;
}

/** @param {number | null} a @param {number | null} b */
const sum = (a, b) => (a === null || b === null ? null : a + b);

/** @param {number | null} a @param {number | null} b */
const most = (a, b) => (a === null ? b : b === null ? a : Math.max(a, b));

/** @param {Tally} tally @returns {Counts} */
export const countsOf = ({ count, errors, lost, received, sent }) =>
  withExpected({ requests: count, errors, network_errors: lost, received_bytes: received, sent_bytes: sent });

/**
 * Where in n ascending values a quantile lies, counted from 0. k6's rule: between the first (0 %) and the last (100 %).
 * @typedef {(n: number, p: number) => number} QuantileRule
 */

/** @type {QuantileRule} */
export const ruleOfK6 = (n, p) => (p * (n - 1)) / 100;

/** The rule of JMeter's report (Commons Math): the i-th of n stands for i / (n + 1). @type {QuantileRule} */
export const ruleOfJmeter = (n, p) => (p * (n + 1)) / 100 - 1;

/**
 * @param {Tally} tally
 * @param {QuantileRule} rule
 * @returns {Distribution[]} none: there are no samples
 */
export function distributionOfSamples({ times, count }, rule) {
  if (count === 0) return [];
  const sorted = Float64Array.from(times).sort();
  let total = 0;
  for (const time of sorted) total += time;
  return [
    {
      count,
      mean: total / count,
      exact: true,
      p: [...quantileGrid],
      values: quantileGrid.map((p) => valueAt(sorted, rule(count, p))),
    },
  ];
}

/** @param {Float64Array} sorted @param {number} position */
function valueAt(sorted, position) {
  const below = Math.floor(position);
  if (below < 0) return sorted[0];
  if (below >= sorted.length - 1) return sorted[sorted.length - 1];
  return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}
