import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison } from '../../reports/schema/types.d.ts';
import { schemaVersion } from '../../reports/schema/version.js';
import { UserError } from '../base/errors.js';
import { makeTemporaryFolder } from '../base/io/files.js';
import type { Suite } from '../suite/suite.js';
import type { RecordsSide, SideRecord } from './find-side.js';
import { judge, type PlannedCase } from './judge.js';
import { readRecord } from './read-record.js';
import { seriesOf } from './versions.js';

/**
 * Compares the records of two sides, case by case. Nothing is run.
 * @param given systems: only these; environments: that of base is paired with that of head, others are left out; command:
 *   what repeats it
 * @throws {UserError} no case is on either side
 */
export async function compareSides(
  base: RecordsSide,
  head: RecordsSide,
  {
    cwd,
    suite,
    systems = [],
    environments = null,
    command,
  }: { cwd: string; suite: Suite | null; systems?: string[]; environments?: [string, string] | null; command: string },
): Promise<Comparison> {
  const single = base.single && head.single;
  const pairs = single
    ? [{ base: base.records[0], head: head.records[0] }]
    : pairsOf(base, head, { systems, environments });
  if (pairs.length === 0) {
    throw new UserError(
      `neither ${base.name} nor ${head.name} has a record of ${[...systems, ...(environments ?? [])].join(', ')}`,
    );
  }
  if (!single) refuseUnpaired(pairs, base, head, environments);
  const cases = await Promise.all(pairs.map((pair) => planPair(pair, { base, head, suite })));
  const folder = makeTemporaryFolder();
  try {
    return await judge(
      {
        schema: schemaVersion,
        run: null,
        time: new Date().toISOString(),
        command,
        folder: null,
        baseline: base.name,
        head: head.name,
        compare: suite?.bench.compare ?? null,
        accept: suite?.bench.accept ?? [],
        cases,
      },
      join(folder, 'plan.json'),
      { root: suite?.root ?? cwd },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Two sides that have not one case in common were most likely meant otherwise.
 * @throws {UserError}
 */
function refuseUnpaired(
  pairs: SidePair[],
  base: RecordsSide,
  head: RecordsSide,
  environments: [string, string] | null,
) {
  if (pairs.some((pair) => pair.base && pair.head)) return;
  const sides = [base, head].map(({ name, records }) => ({
    name,
    known: [...new Set(records.map(({ environment }) => environment))],
  }));
  const wrong = environments && sides.find(({ known }, i) => !known.includes(environments[i]));
  const [before, after] = sides.map(({ known }) => known);
  throw new UserError(`${base.name} and ${head.name} have no case in common`, {
    hint: wrong
      ? `${wrong.name} has the environments ${wrong.known.join(', ')}.`
      : `Environments are ${before.join(', ')} and ${after.join(', ')}: --env ${before[0]}:${after[0]} compares one with another.`,
  });
}

type SidePair = { base?: SideRecord; head?: SideRecord };

/** @returns every case of either side, by name */
function pairsOf(
  base: RecordsSide,
  head: RecordsSide,
  { systems, environments }: { systems: string[]; environments: [string, string] | null },
): SidePair[] {
  const pairs: Map<string, SidePair> = new Map();
  for (const [i, [side, { records }]] of (
    [
      ['base', base],
      ['head', head],
    ] as const
  ).entries()) {
    for (const record of records) {
      if (systems.length > 0 && !systems.includes(record.system)) continue;
      if (environments && record.environment !== environments[i]) continue;
      const key = [record.system, environments?.[1] ?? record.environment, record.case].join('/');
      pairs.set(key, { ...pairs.get(key), [side]: record });
    }
  }
  return [...pairs.keys()].sort().map((key) => pairs.get(key) as SidePair);
}

function planPair(
  { base: before, head: after }: SidePair,
  { base, head, suite }: { base: RecordsSide; head: RecordsSide; suite: { root: string } | null },
): PlannedCase {
  const { system, environment, case: name, file } = (after ?? before) as SideRecord;
  const { scenario, values } = readRecord(file);
  if (before) readRecord(before.file);
  return {
    system,
    environment,
    case: name,
    scenario,
    values,
    status: 'measured',
    reason: after ? null : `${head.name} has no record of this case`,
    head: after?.file ?? null,
    base_reason: before ? null : `${base.name} has no record of this case`,
    base: before?.file ?? null,
    baseline: base.name,
    series: suite && after ? seriesOf(suite, { system, environment, case: name }) : [],
  };
}
