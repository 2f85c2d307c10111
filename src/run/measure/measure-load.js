import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskFullError, writeJson } from '../../base/io/files.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { startPods } from '../cluster/pod-generators.js';
import { startGenerators } from '../generator/start-generators.js';
import { inflictFaults } from '../services/inflict-faults.js';
import { startSampler } from '../services/sampler.js';
import { smokeTargets } from './smoke-targets.js';

/** @import { UserError } from '../../base/errors.js' */
/** @import { Generators } from '../generator/start-generators.js' */
/** @import { CaseFile } from '../generator/k6.js' */
/** @import { Running } from '../../base/process/command.js' */
/** @import { Run, Which } from '../run-context.js' */
/** @import { FaultRecord } from '../services/inflict-faults.js' */
/** @import { OtherProgram } from '../services/other-programs.js' */
/** @import { RunningPrometheus } from '../services/prometheus/open-prometheus.js' */
/** @import { Services } from '../services/services.js' */

/**
 * @typedef {{ side: 'base' | 'head' | null, services: Services }} LoadTarget services that are ready, and whose they are in a
 *   duet
 */

/** Data of an incomplete load would mislead; its logs stay. */
const dataFiles = [
  'summary.json',
  'timeline.ndjson',
  'histograms.ndjson',
  'services.ndjson',
  'prometheus.json',
  'round.json',
];

/** @param {string} folder of a load */
export const deleteData = (folder) => {
  for (const file of dataFiles) rmSync(join(folder, file), { force: true });
};

/**
 * Measures one load: sends it to its targets, samples their services, and inflicts the case's faults. Its last file is
 * round.json; on any error no data is left.
 * @param {CaseFile} measured what k6 sends
 * @param {{ which: Which, folder: string, targets: readonly LoadTarget[], cores: string | null,
 *   prometheus?: RunningPrometheus, besides?: Running[] }} given folder: for its files; targets: one, or base and head, which get every iteration
 *   both; cores: those that k6 is pinned to; besides: what is ours and no part of the load, whose CPU time does not count
 * @param {Run} run
 * @throws {CaseFailure | Interrupted | UserError} UserError: the disk is full
 */
export async function measureLoad(measured, { folder, ...given }, run) {
  try {
    await measure(measured, { folder, ...given }, run);
  } catch (error) {
    deleteData(folder);
    throw error;
  }
}

/** @type {typeof measureLoad} */
async function measure(measured, { which, folder, targets, cores, prometheus, besides }, run) {
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
  /** @type {OtherProgram[]} */
  let others = [];
  /** @type {FaultRecord[]} */
  let suffered = [];
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

/**
 * What the generators say of their requests: for two sides, by side.
 * @template T
 * @param {(side?: LoadTarget['side']) => T} read
 * @param {readonly LoadTarget[]} targets
 * @returns {T | Record<string, T>}
 */
const ofSides = (read, targets) =>
  targets.length === 1 ? read() : Object.fromEntries(targets.map(({ side }) => [side, read(side)]));

/** In the time since they were started somebody else may have taken a port. @param {LoadTarget} target */
async function checkAddresses({ side, services }) {
  try {
    await services.check();
  } catch (error) {
    throw side !== null && error instanceof CaseFailure ? error.of(side) : error;
  }
}

/** Its services, under names that tell their side. @param {LoadTarget} target */
const watchedOf = ({ side, services }) =>
  services.list.map((service) => (side === null ? service : { ...service, name: `${side}/${service.name}` }));

/**
 * Why services of a target are not there any more.
 * @param {readonly LoadTarget[]} targets
 * @returns {CaseFailure | null} null: they are
 */
function failureOf(targets) {
  for (const { side, services } of targets) {
    const died = services.failure();
    if (died) return side === null ? died : died.of(side);
  }
  return null;
}

/**
 * @param {Generators} k6
 * @param {{ folder: string, targets: readonly LoadTarget[], run: Run }} given
 * @throws {CaseFailure | Interrupted | UserError}
 */
function refuseIncomplete(k6, { folder, targets, run }) {
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

/** @param {string} folder @returns {string | null} null: it is there */
function missingSummary(folder) {
  try {
    JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    return null;
  } catch (error) {
    return `k6 left no summary that can be read: ${/** @type {Error} */ (error).message}`;
  }
}
