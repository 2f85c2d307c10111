import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaVersion } from '../../reports/schema/version.js';
import { UserError } from '../base/errors.js';
import { makeTemporaryFolder } from '../base/io/files.js';
import { judge } from './judge.js';
import { readRecord } from './read-record.js';
import { seriesOf } from './versions.js';

/** @import { Comparison } from '../../reports/schema/types.d.ts' */
/** @import { Suite } from '../suite/suite.js' */
/** @import { PlannedCase } from './judge.js' */
/** @import { RecordsSide, SideRecord } from './find-side.js' */

/**
 * Compares the records of two sides, case by case. Nothing is run.
 * @param {RecordsSide} base
 * @param {RecordsSide} head
 * @param {{ cwd: string, suite: Suite | null, systems?: string[],
 *   environments?: [string, string] | null, command: string }} given systems: only these; environments: that of base is
 *   paired with that of head, others are left out; command: what repeats it
 * @returns {Promise<Comparison>}
 * @throws {UserError} no case is on either side
 */
export async function compareSides(base, head, { cwd, suite, systems = [], environments = null, command }) {
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
 * @param {SidePair[]} pairs
 * @param {RecordsSide} base
 * @param {RecordsSide} head
 * @param {[string, string] | null} environments
 * @throws {UserError}
 */
function refuseUnpaired(pairs, base, head, environments) {
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

/** @typedef {{ base?: SideRecord, head?: SideRecord }} SidePair */

/**
 * @param {RecordsSide} base
 * @param {RecordsSide} head
 * @param {{ systems: string[], environments: [string, string] | null }} chosen
 * @returns {SidePair[]} every case of either side, by name
 */
function pairsOf(base, head, { systems, environments }) {
  /** @type {Map<string, SidePair>} */
  const pairs = new Map();
  for (const [i, [side, { records }]] of /** @type {const} */ ([
    ['base', base],
    ['head', head],
  ]).entries()) {
    for (const record of records) {
      if (systems.length > 0 && !systems.includes(record.system)) continue;
      if (environments && record.environment !== environments[i]) continue;
      const key = [record.system, environments?.[1] ?? record.environment, record.case].join('/');
      pairs.set(key, { ...pairs.get(key), [side]: record });
    }
  }
  return [...pairs.keys()].sort().map((key) => /** @type {SidePair} */ (pairs.get(key)));
}

/**
 * @param {SidePair} pair
 * @param {{ base: RecordsSide, head: RecordsSide, suite: { root: string } | null }} given
 * @returns {PlannedCase}
 */
function planPair({ base: before, head: after }, { base, head, suite }) {
  const { system, environment, case: name, file } = /** @type {SideRecord} */ (after ?? before);
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
