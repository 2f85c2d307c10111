import { relative } from 'node:path';
import type { ComparedCase, Comparison } from '../../reports/schema/types.d.ts';
import type { schemaVersion } from '../../reports/schema/version.js';
import { exitCodes, UserError } from '../base/errors.js';
import { writeJson } from '../base/io/files.js';
import { jq } from '../base/tools/jq.js';
import type { TomlTable } from '../suite/cases/toml.js';
import { comparisonProblem } from './schema.js';

/**
 * What comparison.json.jq works from.
 * compare: bench.toml's; notes: what else to know of what is compared; accept: changes that base accepts; sharing: how many
 * cases of a duet share alpha, where some are not there yet
 */
export type ComparisonPlan = {
  schema: typeof schemaVersion;
  run: string | null;
  time: string;
  command: string | null;
  folder: string | null;
  baseline: string | null;
  head: string | null;
  commits?: { base: string | null; head: string | null };
  compare: TomlTable | null;
  notes?: string[];
  accept?: readonly { change: string; reason: string }[];
  sharing?: number;
  cases: PlannedCase[];
};

/**
 * head, base and series are files; baseline: asked for; pair: they were measured at the same time, and alpha_spent: the part
 * of alpha that judging them now spends; interleaved: why not concurrently; compare: gate, tolerances and alpha, where they
 * are not head's own; starts: how long each start took until it was ready, in seconds; changes: how head's benchmark differs
 * from base's
 */
export type PlannedCase = {
  system: string;
  environment: string;
  scenario: string | null;
  case: string;
  values: TomlTable;
  status: string;
  reason: string | null;
  head: string | null;
  base: string | null;
  base_reason: string | null;
  baseline: string | null;
  series: string[];
  pair?: { alpha_spent: number; interleaved: string | null; apart?: boolean };
  lanes?: PlannedLanes | null;
  starts?: Record<'base' | 'head', number[]>;
  compare?: TomlTable | null;
  changes?: object[];
};

type SideFiles = { head: string | null; base: string | null };

/**
 * The records of a duet's lanes beside solo; interleaved: why they were not loaded at the same time; falls: services that
 * ended; warm_up: of each block, by many users; null: by one
 */
type PlannedLanes = {
  load: SideFiles;
  saturation: SideFiles;
  age?: SideFiles;
  warm_up: { users: number; iterations: number; seconds: number; steady: boolean; failing?: number } | null;
  interleaved: string | null;
  falls: readonly { lane: string; side: string; reason: string }[];
};

/**
 * Judges what a plan names.
 * @param file where to write it; jq reads it there
 * @param options root: what paths of the records' files begin at
 * @throws {UserError} code 4: jq failed
 */
export async function judge(plan: ComparisonPlan, file: string, { root }: { root?: string } = {}): Promise<Comparison> {
  await writeJson(file, plan);
  const named = plan.cases
    .flatMap(({ head, base, series, lanes }) => [head, base, ...series, ...filesOf(lanes)])
    .filter((path) => path !== null);
  const comparison = await jq('comparison.json.jq', [file, ...new Set(named)]);
  const problem = comparisonProblem(comparison);
  if (problem)
    throw new UserError(`comparison.json.jq prints what is not a comparison: ${problem}`, { code: exitCodes.error });
  if (root === undefined) return comparison;
  const relativePath = (path: string | null) => path && relative(root, path);
  return {
    ...comparison,
    cases: comparison.cases.map((comparedCase: ComparedCase) => ({
      ...comparedCase,
      record: relativePath(comparedCase.record),
      base_record: relativePath(comparedCase.base_record),
    })),
  };
}

const filesOf = (lanes: PlannedLanes | null | undefined): (string | null)[] =>
  [lanes?.load, lanes?.saturation, lanes?.age].flatMap((files) => (files ? [files.head, files.base] : []));
