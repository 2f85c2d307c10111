import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BenchRecord, Metric } from '../../../reports/schema/types.d.ts';
import { jqOver } from '../../base/tools/jq.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { digestOf, judgingPrograms, keepWith, keptWith } from '../collect/cached.js';

/** A number of a declared table with what has to be known of its record, and another one. */
export type LineNumber = {
  metric: Metric | null;
  time: string | null;
  speed?: BenchRecord['speed'];
  imported?: BenchRecord['imported'];
  compare: BenchRecord['compare'];
};

export type LinePair = { base: LineNumber; head: LineNumber };

/**
 * How much it changes, as reports/line-changes.json.jq says. text: "+89.6 % [+60.1, +125]", '' where it cannot be said, for the
 * reason why; apart: that is of the records, and so of all their numbers; confidence: of the interval, "99 %".
 */
export type LineChange = { text: string; why: string; apart: boolean; confidence: string };

/** In the same order. */
export type JudgeChanges = (pairs: LinePair[]) => Promise<LineChange[]>;

/**
 * Judges the changes that declared tables show. What was judged by the same programs before is taken from the cache.
 * @returns keep: writes the cache, of what was asked for since
 */
export async function openLineChanges(suite: Suite): Promise<{ judge: JudgeChanges; keep: () => Promise<void> }> {
  const file = join(benchDir(suite), 'cache', 'line-changes.json');
  const given = suite.bench.compare ?? null;
  const programs = await digestOf(judgingPrograms());
  const key = createHash('sha256').update(programs).update(JSON.stringify(given)).digest('hex');
  const before = ((await keptWith(file, key)) ?? {}) as Record<string, LineChange>;
  const used: Record<string, LineChange> = {};
  return {
    async judge(pairs) {
      const keys = pairs.map((pair) => createHash('sha256').update(JSON.stringify(pair)).digest('hex'));
      const fresh = pairs.filter((_, i) => !(keys[i] in before) && !(keys[i] in used));
      const judged = fresh.length ? await jqOver('line-changes.json.jq', [{ suite: given, pairs: fresh }]) : [];
      const known = new Map(fresh.map((pair, i) => [pair, judged[i] as LineChange]));
      return pairs.map((pair, i) => (used[keys[i]] = known.get(pair) ?? used[keys[i]] ?? before[keys[i]]));
    },
    keep: () => keepWith(file, key, used),
  };
}
