/**
 * What a trial compares: the system with itself (A/A), or with itself and a change of known kind (A/B with known effect).
 * name: "aa", "aa-noisy", "aa-checkouts" or that of a kind; env: variables added to head's services; both: to those of both
 * sides; bursts: other programs load the machine meanwhile; checkouts: each side has a checkout of its own, built apart;
 * weight: how many of its trials there are to one of a kind
 */
export type Condition = {
  name: string;
  env: Record<string, string>;
  both: Record<string, string>;
  bursts: boolean;
  checkouts: boolean;
  weight: number;
};

type Variables = Record<string, string | number | boolean>;

/** False positives are rare, and only many trials say how rare; a change is found or not in most of them. */
const weights = { aa: 12, noisy: 6, checkouts: 6, kind: 1 };

/**
 * The conditions of a system.
 * @param calibrate the spec's table
 */
export const conditionsOf = ({
  kinds = {},
}: {
  kinds?: Record<string, { head: Variables; both?: Variables }>;
}): Condition[] => [
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

const texts = (variables: Variables): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));

/**
 * The condition that has the fewest trials for its weight.
 * @param counts trials that are kept, by condition
 */
export const nextCondition = (conditions: readonly Condition[], counts: ReadonlyMap<string, number>): Condition =>
  conditions.reduce((least, condition) => (shareOf(condition, counts) < shareOf(least, counts) ? condition : least));

const shareOf = ({ name, weight }: Condition, counts: ReadonlyMap<string, number>) => (counts.get(name) ?? 0) / weight;
