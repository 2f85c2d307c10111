import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { jqOver } from '../../base/tools/jq.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { cached, digestOf, judgingPrograms } from '../collect/cached.js';
import type { Duet } from '../collect/collect-duets.js';

/**
 * Duets of successive commits, of which each one's base is the head of the one before: the product of their ratios is a
 * history of the commits alone, without what differs between sessions.
 * duets: oldest first
 */
export type Chain = { duets: Duet[]; lines: ChainLine[] };

/** As reports/chains.json.jq prints it. */
export type ChainLine = {
  system: string;
  environment: string;
  case: string;
  metric: string;
  unit: string;
  direction: 'lower' | 'higher' | null;
  alpha: number;
  steps: ChainStep[];
};

/** at: the place of its duet in the chain; another stretch begins where a duet before it does not have the metric */
type ChainStep = {
  at: number;
  stretch: number;
  product: { estimate: number; low: number; high: number };
  ratio: number;
  low: number;
  high: number;
  tolerance: number;
  verdict: string;
};

/** More than this is of branches that were measured now and then. */
const mostChains = 5;

/**
 * @param duets oldest first
 * @returns the longest first
 */
export async function readChains(suite: Suite, duets: Duet[]): Promise<Chain[]> {
  const chains = chainsOf(duets.filter(({ kept }) => kept));
  if (!chains.length) return [];
  const input = chains.map((chain) => chain.map(({ outcome }) => withBlocks(outcome)));
  const programs = await digestOf(judgingPrograms());
  const key = createHash('sha256').update(programs).update(JSON.stringify(input)).digest('hex');
  const lines = await cached(join(benchDir(suite), 'cache', 'chains.json'), key, () =>
    jqOver('chains.json.jq', [input]),
  );
  return chains.map((chain, i) => ({ duets: chain, lines: lines[i] }));
}

/** Nine tenths of an outcome say something else. */
const withBlocks = ({ cases }: Comparison) => ({
  cases: cases.map(({ system, environment, case: name, metrics }) => ({
    system,
    environment,
    case: name,
    metrics: metrics.filter(({ blocks }) => blocks),
  })),
});

/**
 * Parts duets into chains, each as long as it can be. A duet is in one of them at most: of two that begin at one commit, as a
 * push to main and a pull request do, the one goes on that leads further.
 * @param duets oldest first
 * @returns of two duets or more, the longest first
 */
export function chainsOf(duets: Duet[]): Duet[][] {
  let left = duets.filter(({ outcome: { commits } }) => commits?.base && commits.head && commits.base !== commits.head);
  const chains: Duet[][] = [];
  while (chains.length < mostChains) {
    const longest = longestOf(left);
    if (longest.length < 2) break;
    chains.push(longest);
    left = left.filter((duet) => !longest.includes(duet));
  }
  return chains;
}

/** The commits of a duet that is in a chain. */
export const commitsOf = ({ outcome }: Duet): { base: string; head: string } =>
  outcome.commits as { base: string; head: string };

/** A duet with those before it. */
type Step = { duet: Duet; length: number; before: Step | null };

/**
 * @param duets oldest first
 * @returns of two as long the newer
 */
function longestOf(duets: Duet[]): Duet[] {
  /** The longest chain that ends at a commit. */
  const ending: Map<string, Step> = new Map();
  let longest = null;
  for (const duet of duets) {
    const { base, head } = commitsOf(duet);
    const before = ending.get(base) ?? null;
    const chain = { duet, before, length: 1 + (before?.length ?? 0) };
    if (chain.length >= (ending.get(head)?.length ?? 0)) ending.set(head, chain);
    if (longest === null || chain.length >= longest.length) longest = chain;
  }
  const found = [];
  for (let link = longest; link !== null; link = link.before) found.unshift(link.duet);
  return found;
}
