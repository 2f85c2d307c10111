import { join, relative } from 'node:path';
import type { BenchRecord, Comparison } from '../../reports/schema/types.d.ts';
import { schemaVersion } from '../../reports/schema/version.js';
import { UserError } from '../base/errors.js';
import { writeJson } from '../base/io/files.js';
import type { Case } from '../suite/cases/expand.js';
import type { Suite } from '../suite/suite.js';
import { findBaseline } from './baseline.js';
import { judge, type PlannedCase } from './judge.js';
import { FileProblem, readJson } from './read-record.js';
import { reduceCase } from './reduce-case.js';
import { type RunCase, readRun } from './runs.js';
import { seriesOf } from './versions.js';

/** jq uses one core; while it runs, the next starts. */
const atOnce = 2;

/**
 * Reduces the raw files of a run to a record a case, judges them, and writes comparison.json: the outcome of the run.
 * @param given baseline: a version; not given: what the specs or bench.toml say
 * @throws {UserError} run.json cannot be read, or jq is missing
 */
export async function reduceRun({
  suite,
  runDir,
  baseline = null,
}: {
  suite: Suite;
  runDir: string;
  baseline?: string | null;
}): Promise<{ comparison: Comparison; records: BenchRecord[] }> {
  const run = readRun(runDir);
  const reduced = await inTurn(run.cases, (runCase) => reduceOne(runCase, join(runDir, runCase.dir)));
  const planned = reduced.map((reducedCase) => planCase(reducedCase, { suite, runDir, baseline }));
  const comparison = await judge(
    {
      schema: schemaVersion,
      run: run.id,
      time: run.time,
      command: run.command,
      folder: relative(suite.root, runDir),
      baseline,
      head: null,
      compare: suite.bench.compare ?? null,
      accept: suite.bench.accept ?? [],
      cases: planned,
    },
    join(runDir, 'plan.json'),
    { root: suite.root },
  );
  await writeJson(join(runDir, 'comparison.json'), comparison);
  return { comparison, records: reduced.flatMap(({ record }) => record ?? []) };
}

type Reduced = { runCase: RunCase; record: BenchRecord | null };

/** A case that cannot be reduced has failed; the others go on. */
async function reduceOne(runCase: RunCase, folder: string): Promise<Reduced> {
  if (runCase.status !== 'measured' && runCase.status !== 'interrupted') return { runCase, record: null };
  try {
    return { runCase, record: await reduceCase(folder) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { runCase: { ...runCase, status: 'error', reason: error.message }, record: null };
  }
}

function planCase(
  { runCase, record }: Reduced,
  { suite, runDir, baseline }: { suite: Suite; runDir: string; baseline: string | null },
): PlannedCase {
  const { system, environment, case: name, status, reason } = runCase;
  const folder = join(runDir, runCase.dir);
  const written = caseIn(folder);
  const baselineName = baseline ?? written?.compare?.baseline ?? suite.bench.compare?.baseline ?? null;
  const identity = { system, environment, case: name };
  const base = baselineName && record ? findBaseline(suite, baselineName, identity) : { base: null, base_reason: null };
  return {
    ...identity,
    scenario: written?.scenario ?? null,
    values: written?.values ?? {},
    status,
    reason,
    head: record && join(folder, 'record.json'),
    ...base,
    baseline: baselineName,
    series: baselineName && record ? seriesOf(suite, identity) : [],
  };
}

/** @returns null: it was never written, or is damaged */
function caseIn(folder: string): Case | null {
  try {
    const { case: benchCase = null } = readJson(join(folder, 'case.json')) as { case?: Case };
    return benchCase;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return null;
  }
}

/** @returns in the order of all */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < all.length) {
        const at = next++;
        done[at] = await work(all[at]);
      }
    }),
  );
  return done;
}
