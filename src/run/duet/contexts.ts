// What a duet measures with: one value for the whole duet, and one for the case that it measures.

import type { InterimLook } from '../../records/interim-looks.js';
import type { Helped } from '../../suite/cases/duet-settings.js';
import type { Suite } from '../../suite/suite.js';
import type { Run } from '../run-context.js';
import { generatorCores } from '../session/cores.js';
import { type BlockHelpers, helpersOf } from './block-helpers.js';
import type { LanesSoFar } from './measure-lanes.js';
import type { PairedCase } from './pair-cases.js';
import { folderOf, howPaired } from './pair-outcome.js';
import type { SharedRule } from './ruler/compare-sides.js';
import type { SideFiles } from './side-files.js';
import type { DuetSide } from './sides.js';
import type { SideName } from './split.js';
import type { WarmUp } from './warm-up.js';
import { type SidesWatch, watchWhatRuns } from './what-runs.js';

/**
 * The same for all cases of a duet.
 * - cases: how many share alpha
 * - blocks: of a case, at the most; interimLooks: when it may end sooner; budget_s: what it may take, in seconds
 * - seed, random: of the order of cases and sides; random goes on from case to case
 * - helped: the helpers that work beside the blocks, where they can
 * - command: that does the same again
 * - suite: head's; rule: it judges both sides
 * - files: those of each side's commit; sources: by system, a source that is not the same on both sides
 * - runs: the run as each side sees it
 */
export type DuetContext = {
  base: DuetSide;
  head: DuetSide;
  cases: number;
  blocks: number;
  interimLooks: readonly InterimLook[];
  budget_s: number;
  seed: number;
  random: () => number;
  timing: { warmup_s: number; seconds: number };
  helped: Helped;
  command: string;
  suite: Suite;
  rule: SharedRule;
  files: Record<SideName, SideFiles>;
  sources: ReadonlyMap<string, string>;
  runs: Record<SideName, Run>;
};

/**
 * Of the case that is measured.
 * - folder: where its files go
 * - generator: which cores k6 may use; cores: the same as k6's process gets them; null: all
 * - watch: looks at what each side runs; helpers: work beside the blocks
 * - how: the sides are brought together, which the first block may change
 * - done: blocks that are measured; over_budget: another look would take longer than its budget
 * - warmUp: of each block; null: one user alone warms the sides up
 * - lanes: null: not measured, or not yet
 */
export type CaseContext = {
  duet: DuetContext;
  pair: PairedCase;
  folder: string;
  generator: ReturnType<typeof generatorCores>;
  cores: string | null;
  watch: SidesWatch;
  helpers: BlockHelpers;
  how: ReturnType<typeof howPaired>;
  done: number;
  over_budget: boolean;
  warmUp: WarmUp | null;
  lanes: LanesSoFar | null;
};

/** @returns of a case of which nothing is measured yet */
export async function openCase(pair: PairedCase, duet: DuetContext): Promise<CaseContext> {
  const generator = generatorCores([...pair.base.services, ...pair.head.services]);
  const { base, head, rule, files } = duet;
  return {
    duet,
    pair,
    folder: folderOf(pair, duet.runs.head),
    generator,
    cores: generator.pinned ? generator.cores.join(',') : null,
    watch: watchWhatRuns({ base, head, headFolders: rule.headFolders, files }),
    helpers: await helpersOf(pair, duet.helped),
    how: pair.alone ? { interleaved: null, apart: true } : howPaired(pair.solo, head.root),
    done: 0,
    over_budget: false,
    warmUp: null,
    lanes: null,
  };
}
