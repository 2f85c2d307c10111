import { quantileGrid } from '../../../suite/cases/quantiles.js';
import { type Counts, type Distribution, type Finding, finding, type Round, withExpected } from './round.js';

/** What one line says of a sample, with its time in milliseconds. Of bytes and users null: the file does not say. */
export type Sample = {
  fromMs: number;
  ms: number;
  failed: boolean;
  lost: boolean;
  badStatus: boolean;
  received: number | null;
  sent: number | null;
  users: number | null;
};

type Tally = {
  count: number;
  errors: number;
  lost: number;
  badStatus: number;
  received: number | null;
  sent: number | null;
  users: number | null;
  fromMs: number;
  toMs: number;
  times: number[];
};

/** More names than these have no page that shows them, and often are one request whose address has an id. */
const mostNames = 100;

/** The name of what has none, in other tools' files. */
export const unnamed = '(no name)';

/** Samples by name: all are kept, so that quantiles are exact. */
export class Samples {
  #named: Map<string, Tally> = new Map();

  add(name: string, sample: Sample) {
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

  /** All samples as one. */
  get all(): Tally {
    return joined([...this.#named.values()]);
  }

  /** By name, those with the most samples first; rare ones are joined as one before their distributions are made. */
  get named(): [name: string, tally: Tally][] {
    const sorted = [...this.#named].sort(([, a], [, b]) => b.count - a.count);
    if (sorted.length <= mostNames) return sorted;
    const rare = sorted.splice(mostNames);
    return [...sorted, [othersName(rare.length), joined(rare.map(([, tally]) => tally))]];
  }

  /** What a round says of each name; nothing where the file has none. */
  requests(rule: QuantileRule): Round['requests'] {
    if (this.size === 1 && this.#named.has(unnamed)) return {};
    return Object.fromEntries(
      this.named.map(([name, tally]) => [
        name,
        { counts: countsOf(tally), latency: distributionOfSamples(tally, rule) },
      ]),
    );
  }

  /**
   * Says that some were joined.
   * @param noun "labels"
   */
  joinedFinding(noun: string): Finding | false {
    if (this.size <= mostNames) return false;
    return finding(
      'joined-names',
      'warn',
      `There are ${this.size} ${noun}: ${mostNames} have a row of their own, and the ${this.size - mostNames} with the fewest samples are one. Where addresses with ids are ${noun}, name the requests in the tool.`,
    );
  }
}

const othersName = (count: number) => `(${count} others)`;

const emptyTally = (): Tally => ({
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

function joined(tallies: Tally[]): Tally {
  const all = emptyTally();
  for (const tally of tallies) {
    for (const key of ['count', 'errors', 'lost', 'badStatus'] as const) all[key] += tally[key];
    all.received = sum(all.received, tally.received);
    all.sent = sum(all.sent, tally.sent);
    all.users = most(all.users, tally.users);
    all.fromMs = Math.min(all.fromMs, tally.fromMs);
    all.toMs = Math.max(all.toMs, tally.toMs);
    for (const time of tally.times) all.times.push(time);
  }
  return all;
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));

export const countsOf = ({ count, errors, lost, received, sent }: Tally): Counts =>
  withExpected({ requests: count, errors, network_errors: lost, received_bytes: received, sent_bytes: sent });

/** Where in n ascending values a quantile lies, counted from 0. k6's rule: between the first (0 %) and the last (100 %). */
type QuantileRule = (n: number, p: number) => number;

export const ruleOfK6: QuantileRule = (n, p) => (p * (n - 1)) / 100;

/** The rule of JMeter's report (Commons Math): the i-th of n stands for i / (n + 1). */
export const ruleOfJmeter: QuantileRule = (n, p) => (p * (n + 1)) / 100 - 1;

/** @returns none: there are no samples */
export function distributionOfSamples({ times, count }: Tally, rule: QuantileRule): Distribution[] {
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

function valueAt(sorted: Float64Array, position: number) {
  const below = Math.floor(position);
  if (below < 0) return sorted[0];
  if (below >= sorted.length - 1) return sorted[sorted.length - 1];
  return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}
