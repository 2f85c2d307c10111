import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { counted } from '../../base/format.js';
import { makeFolder } from '../../base/io/files.js';
import { reduceRound } from '../../records/reduce-case.js';
import { byIterations, byUsers } from '../../suite/cases/cases.js';
import { afterLanes_s, warmUpLook_s } from '../../suite/cases/duet-settings.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { CaseContext } from './contexts.js';
import { type Fall, laneFolder, loadTargets, onSides } from './load-sides.js';
import { type SideName, sideNames } from './split.js';
import { atOnce, type LoadedSecond, type Steady, steadyAfter } from './steady.js';
import type { Target } from './with-sides.js';
import { type FilesOfSides, writeCases } from './write-cases.js';

/**
 * How both sides are warmed up before each block: by as many iterations each, so that neither has more behind it (rows that were
 * inserted, say) than the other, however fast it is.
 * files: case.json of each side; failing: the share of requests that failed, so that no block is warmed up
 */
export type WarmUp = Steady & { users: number; files: FilesOfSides | null; failing?: number };

/** Where it is in the case's folder. */
const folders = { after: 'warm-up/after', found: 'warm-up/found', blocks: 'warm-up/blocks' };

/** A warm-up pays where one user's requests cost so many times as much in the window of a block as after its lanes. */
const coldFactor = 3;

/**
 * Measures what one user's requests cost once the lanes of a block have loaded the sides.
 * @param targets sides that are up
 * @returns services that ended meanwhile
 * @throws {CaseFailure | Interrupted}
 */
export async function measureAfterLanes(context: CaseContext, targets: Target[]): Promise<Fall[]> {
  const many = context.pair.lanes?.warm_up;
  if (!many || context.warmUp) return [];
  const of = { users: 1, seconds: afterLanes_s };
  const files = await write(context, { base: byUsers(many.base, of), head: byUsers(many.head, of) }, folders.after);
  return loadTargets(context, targets, { lane: 'saturation', folder: folders.after, files, block: 1 });
}

/**
 * Whether the window of one user, in the first block, was of services that were not warm yet: their requests cost far less CPU time
 * after its lanes. Within the window itself that cannot be seen: a JVM that compiles nothing for four seconds looks steady.
 * @param context of which the first block is measured
 * @returns false, too, where CPU time is not known
 */
export async function wasCold({ pair, folder, lanes }: CaseContext): Promise<boolean> {
  if (!pair.lanes?.warm_up || lanes === null || lanes.over) return false;
  const costOf = async (place: string) => {
    const records = await Promise.all(sideNames.map((side) => reduceRound(join(folder, place, side), 1)));
    const costs = records.map(({ metrics }) => metrics.cpu_ms_per_request?.value ?? NaN);
    return costs[0] + costs[1];
  };
  return (await costOf('')) >= coldFactor * (await costOf(folders.after));
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
  const of = { users, seconds: warmUpLook_s };
  const cases = { base: byUsers(many.base, of), head: byUsers(many.head, of) };
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
  const each = seen.map((records) => steadyAfter(records.map(secondsOf).reduce(atOnce)));
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
  const eachBlock = { users, iterations, most_s: 2 * warmUpLook_s };
  const ofBlocks = { base: byIterations(many.base, eachBlock), head: byIterations(many.head, eachBlock) };
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

/** The seconds of a load, by its timeline. */
function secondsOf({ timeline }: BenchRecord): LoadedSecond[] {
  const rates = timeline?.iterations_rps ?? [];
  const used = Object.values(timeline?.services ?? {}).map(({ cpu_ratio }) => cpu_ratio);
  const from = (index: number) => (index === 0 ? 0 : Number(timeline?.t[index - 1]));
  return rates.map((rate, i) => {
    const iterations = Math.round((rate ?? 0) * (Number(timeline?.t[i]) - from(i)));
    const cpu =
      used.length === 0 || used.some((ratios) => ratios[i] == null)
        ? null
        : used.reduce((sum, ratios) => sum + Number(ratios[i]), 0);
    return { iterations, cost: cpu && rate ? cpu / rate : cpu }; // a second of no iterations has no weight
  });
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
