import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskFullError, writeJson } from '../../base/io/files.js';
import type { Running } from '../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { startPods } from '../cluster/pod-generators.js';
import type { CaseFile } from '../generator/k6.js';
import { type Generators, startGenerators } from '../generator/start-generators.js';
import type { Run, Which } from '../run-context.js';
import { type FaultRecord, inflictFaults } from '../services/inflict-faults.js';
import type { OtherProgram } from '../services/other-programs.js';
import type { RunningPrometheus } from '../services/prometheus/open-prometheus.js';
import { startSampler } from '../services/sampler.js';
import type { Services } from '../services/services.js';
import { smokeTargets } from './smoke-targets.js';

/** Services that are ready; side: whose they are in a duet */
export type LoadTarget = { side: 'base' | 'head' | null; services: Services };

/** Data of an incomplete load would mislead; its logs stay. */
const dataFiles = [
  'summary.json',
  'timeline.ndjson',
  'histograms.ndjson',
  'services.ndjson',
  'prometheus.json',
  'round.json',
];

/** @param folder of a load */
export const deleteData = (folder: string) => {
  for (const file of dataFiles) rmSync(join(folder, file), { force: true });
};

type LoadGiven = {
  which: Which;
  /** for its files */
  folder: string;
  /** one, or base and head, which get every iteration both */
  targets: readonly LoadTarget[];
  /** those that k6 is pinned to */
  cores: string | null;
  prometheus?: RunningPrometheus;
  /** what is ours and no part of the load, whose CPU time does not count */
  besides?: Running[];
};

/**
 * Measures one load: sends it to its targets, samples their services, and inflicts the case's faults. Its last file is
 * round.json; on any error no data is left.
 * @param measured what k6 sends
 * @throws {CaseFailure | Interrupted | UserError} UserError: the disk is full
 */
export async function measureLoad(measured: CaseFile, { folder, ...given }: LoadGiven, run: Run) {
  try {
    await measure(measured, { folder, ...given }, run);
  } catch (error) {
    deleteData(folder);
    throw error;
  }
}

async function measure(
  measured: CaseFile,
  { which, folder, targets, cores, prometheus, besides }: LoadGiven,
  run: Run,
) {
  const { benchCase } = measured;
  for (const target of targets) await checkAddresses(target);
  const died = failureOf(targets); // between two rounds, or as soon as it was ready
  if (died) throw died;
  if (!benchCase.generators) await smokeTargets(measured, { folder, targets, cores }, run); // pods reach what we may not
  // Pods sample their own machines, and this one has nothing to do with the load.
  const sampler = benchCase.generators
    ? null
    : startSampler(join(folder, 'services.ndjson'), targets.flatMap(watchedOf), besides);
  const start = benchCase.generators ? startPods : startGenerators;
  const started = Date.now();
  let k6;
  let faults;
  let ended;
  let others: OtherProgram[] = [];
  let suffered: FaultRecord[] = [];
  try {
    k6 = await start(
      measured,
      {
        folder,
        targets: targets.map(({ services }) => services),
        part: which.part,
        cores,
        stream: prometheus?.streamOf(which) ?? null,
      },
      run,
    );
    sampler?.watch(k6.running);
    faults = inflictFaults(benchCase, { services: targets[0].services, began: k6.began }, run);
    const deaths = targets.map(({ services }) => services.died);
    await Promise.race([k6.exited, ...deaths, faults.failed, run.interrupt.signalled]);
  } finally {
    ended = Date.now();
    const stillNeeded = k6?.ended() === true && !failureOf(targets) && !run.interrupt.asked;
    await k6?.end();
    others = sampler?.stop() ?? [];
    if (faults) suffered = await faults.end(stillNeeded);
  }
  refuseIncomplete(k6, { folder, targets, run });
  await prometheus?.read(which, folder, k6.folders);
  const { complete, interrupted } = k6.iterations();
  await writeJson(join(folder, 'round.json'), {
    ...which,
    started,
    ended,
    k6_exit: k6.exitCode(),
    instances: benchCase.instances,
    ...(k6.startSkew_ms && { start_skew_ms: k6.startSkew_ms() }),
    interrupted_iterations: interrupted,
    complete_iterations: complete,
    faults: suffered,
    others,
    problems: ofSides(k6.problems, targets),
    redirects_stopped: k6.redirectsStopped(), // in a duet, those of both sides
    answers: ofSides(k6.answers, targets),
  });
}

/** What the generators say of their requests: for two sides, by side. */
const ofSides = <T>(read: (side?: LoadTarget['side']) => T, targets: readonly LoadTarget[]): T | Record<string, T> =>
  targets.length === 1 ? read() : Object.fromEntries(targets.map(({ side }) => [side, read(side)]));

/** In the time since they were started somebody else may have taken a port. */
async function checkAddresses({ side, services }: LoadTarget) {
  try {
    await services.check();
  } catch (error) {
    throw side !== null && error instanceof CaseFailure ? error.of(side) : error;
  }
}

/** Its services, under names that tell their side. */
const watchedOf = ({ side, services }: LoadTarget) =>
  services.list.map((service) => (side === null ? service : { ...service, name: `${side}/${service.name}` }));

/**
 * Why services of a target are not there any more.
 * @returns null: they are
 */
function failureOf(targets: readonly LoadTarget[]): CaseFailure | null {
  for (const { side, services } of targets) {
    const died = services.failure();
    if (died) return side === null ? died : died.of(side);
  }
  return null;
}

/** @throws {CaseFailure | Interrupted | UserError} */
function refuseIncomplete(
  k6: Generators,
  { folder, targets, run }: { folder: string; targets: readonly LoadTarget[]; run: Run },
) {
  const died = failureOf(targets);
  if (died) throw died;
  if (run.interrupt.asked) throw new Interrupted();
  const failed = k6.failed();
  const failure = failed?.reason ?? k6.folders.map(missingSummary).find((missing) => missing !== null);
  if (!failure) return;
  const full = diskFullError(folder);
  if (full) throw full;
  throw new CaseFailure(failure, { log: failed?.log ?? k6.running[0]?.log });
}

/** @returns null: it is there */
function missingSummary(folder: string): string | null {
  try {
    JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    return null;
  } catch (error) {
    return `k6 left no summary that can be read: ${(error as Error).message}`;
  }
}
