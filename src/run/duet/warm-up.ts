import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { counted } from '../../base/format.js';
import { makeFolder } from '../../base/io/files.js';
import { reduceRound } from '../../records/reduce-case.js';
import { byIterations, byUsers } from '../../suite/cases/cases.js';
import { warmUpLook_s } from '../../suite/cases/duet-settings.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { CaseContext } from './contexts.js';
import { type Fall, laneFolder, loadTargets, onSides } from './load-sides.js';
import { type SideName, sideNames } from './split.js';
import { atOnce, getsCheaper, type LoadedSecond, type Steady, steadyAfter } from './steady.js';
import type { Target } from './with-sides.js';
import { type FilesOfSides, writeCases } from './write-cases.js';

/**
 * How both sides are warmed up before each block: by as many iterations each, so that neither has more behind it (rows that were
 * inserted, say) than the other, however fast it is.
 * files: case.json of each side; failing: the share of requests that failed, so that no block is warmed up
 */
export type WarmUp = Steady & { users: number; files: FilesOfSides | null; failing?: number };

/** Where it is in the case's folder. */
const folders = { found: 'warm-up/found', blocks: 'warm-up/blocks' };

/**
 * Whether the sides got much cheaper within the window of one user, in the first block: then they take long to get warm.
 * @param context of which the first block is measured
 */
export async function isStillWarming({ pair, folder, lanes }: CaseContext): Promise<boolean> {
  if (!pair.lanes?.warm_up || lanes === null || lanes.over) return false;
  const records = await Promise.all(sideNames.map((side) => reduceRound(join(folder, side), 1)));
  const window = records.map((record) => secondsOf(record, record.window.from_s));
  return getsCheaper(window.reduce(atOnce));
}

/**
 * Finds out how many iterations warm both sides up: loads them until everything is compiled, for a bounded time. By as many users
 * as the saturation probe has; where these keep all cores busy, by one: a compiler that works beside the requests needs CPU time too,
 * and many users leave it none.
 * @param context of a case with lanes, of which the first block is measured
 * @returns null: a service ended; falls: which did
 * @throws {CaseFailure | Interrupted}
 */
export async function findWarmUp(context: CaseContext): Promise<{ warmUp: WarmUp | null; falls: Fall[] }> {
  const { folder, pair } = context;
  const many = pair.lanes?.warm_up as Record<SideName, Case>;
  const isAtOnce = pair.solo.interleaved === null;
  const users = (await areBusy(folder, isAtOnce)) ? 1 : many.head.load.users;
  const cases = { base: byUsers(many.base, users), head: byUsers(many.head, users) };
  const files = await write(context, cases, folders.found);
  const seen: BenchRecord[][] = []; // of both sides at the same time, or of one after the other
  const falls = await onSides(context, makeFolder(join(folder, 'warm-up')), isAtOnce, async (targets) => {
    const fallen = await loadTargets(context, targets, {
      lane: 'saturation',
      folder: folders.found,
      files,
      block: 1,
    });
    if (fallen.length === 0)
      seen.push(await Promise.all(targets.map(({ side }) => reduceRound(join(folder, folders.found, side), 1))));
    return fallen;
  });
  if (falls.length > 0) return { warmUp: null, falls };
  const each = seen.map((records) => steadyAfter(records.map((record) => secondsOf(record)).reduce(atOnce)));
  const iterations = Math.max(...each.map((steady) => steady.iterations));
  const found = {
    users,
    iterations,
    seconds: Math.max(...each.map(({ seconds }) => seconds)),
    steady: each.every(({ steady }) => steady),
  };
  const failing = Math.max(...seen.flat().map(({ metrics }) => metrics.errors_ratio?.value ?? 0));
  if (failing > many.head.error_cap) return { warmUp: { ...found, files: null, failing }, falls };
  if (iterations === 0) return { warmUp: { ...found, files: null }, falls };
  const of = { users, iterations, most_s: 2 * warmUpLook_s };
  const ofBlocks = { base: byIterations(many.base, of), head: byIterations(many.head, of) };
  return { warmUp: { ...found, files: await write(context, ofBlocks, folders.blocks) }, falls };
}

/** @returns what is said of it while it is measured */
export function describeWarmUp({ users, iterations, steady, failing }: WarmUp): string {
  if (failing !== undefined)
    return `${Math.round(100 * failing)} % of the requests of ${counted(users, 'user')} failed: one user warms each side up`;
  const begins = `each block begins with ${counted(iterations, 'iteration')} of ${counted(users, 'user')}`;
  return steady ? begins : `the CPU time of an iteration still fell after ${warmUpLook_s} s; ${begins}, and no warmer`;
}

const write = (context: CaseContext, cases: Record<SideName, Case>, folder: string) =>
  writeCases(context, { cases, ruler: cases.head, folderOf: (side) => join(folder, side) });

/**
 * Whether the users of the saturation probe keep the cores busy.
 * @param folder of the case, after its first block
 * @param isAtOnce both sides were loaded in the same time
 */
async function areBusy(folder: string, isAtOnce: boolean): Promise<boolean> {
  const probes = await Promise.all(
    sideNames.map((side) => reduceRound(join(folder, laneFolder('saturation', side)), 1)),
  );
  const shares = probes.map(({ metrics, fingerprint }) => {
    const used = (name: string) => metrics[name]?.value ?? 0;
    return (used('cpu_ratio_mean') + used('generator_cpu_ratio_mean')) / (fingerprint.cores ?? 1);
  });
  return (isAtOnce ? shares[0] + shares[1] : Math.max(...shares)) > limits.lanes_busy_ratio;
}

/**
 * The seconds of a load, by its timeline.
 * @param from_s where they begin
 */
function secondsOf({ timeline }: BenchRecord, from_s = 0): LoadedSecond[] {
  const rates = timeline?.iterations_rps ?? [];
  const used = Object.values(timeline?.services ?? {}).map(({ cpu_ratio }) => cpu_ratio);
  const from = (index: number) => (index === 0 ? 0 : Number(timeline?.t[index - 1]));
  const seconds = rates.map((rate, i) => {
    const iterations = Math.round((rate ?? 0) * (Number(timeline?.t[i]) - from(i)));
    const cpu =
      used.length === 0 || used.some((ratios) => ratios[i] == null)
        ? null
        : used.reduce((sum, ratios) => sum + Number(ratios[i]), 0);
    return { iterations, cost: cpu && rate ? cpu / rate : cpu }; // a second of no iterations has no weight
  });
  return seconds.filter((_, i) => from(i) >= from_s);
}

/**
 * Warms up sides that are up, at the same time where they are.
 * @returns services that ended meanwhile
 * @throws {CaseFailure | Interrupted}
 */
export async function warm(context: CaseContext, targets: Target[], block: number): Promise<Fall[]> {
  const files = context.warmUp?.files;
  if (!files) return [];
  return loadTargets(context, targets, { lane: 'saturation', folder: folders.blocks, files, block });
}
