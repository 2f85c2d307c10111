import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startGenerators } from '../generator/generators.js';
import { diskFullError, makeFolder, writeJson } from '../io/files.js';
import { CaseFailure, Interrupted } from '../process/failure.js';
import { inflictFaults } from '../services/faults.js';
import { startSampler } from '../services/sampler.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('../run-context.js').Run} Run
 * @typedef {import('../services/services.js').Services} Services
 * @typedef {import('../services/prometheus/index.js').Prometheus} Prometheus
 * @typedef {import('../run-context.js').Which} Which
 */

/** The data of a round that did not complete would only be half of it; its logs stay. */
const dataFiles = ['summary.json', 'timeline.ndjson', 'services.ndjson', 'prometheus.json', 'round.json'];

/**
 * Measures one round, in as many k6 processes as it is cut into. Its last file is round.json; on any error no data is
 * left.
 * @param {Case} one
 * @param {{ round: number, parts: number, folder: string, cores: string | null, services: Services,
 *   prometheus: Prometheus }} given folder: of the case; cores: those that k6 is pinned to
 * @param {Run} run
 * @throws {CaseFailure | Interrupted}
 */
export async function measureRound(one, { round, parts, folder, cores, services, prometheus }, run) {
  const suffix = (/** @type {number} */ part) => (parts === 1 ? '' : `.${part}`);
  const folders = Array.from({ length: parts }, (_, index) => join(folder, `round-${round}${suffix(index + 1)}`));
  try {
    for (const [index, place] of folders.entries()) {
      const which = { round, part: index + 1, parts };
      await measurePart(one, { which, folder: makeFolder(place), cores, services, prometheus }, run);
    }
  } catch (error) {
    for (const place of folders) for (const file of dataFiles) rmSync(join(place, file), { force: true });
    throw error;
  }
}

/**
 * @param {Case} one
 * @param {{ which: Which, folder: string, cores: string | null, services: Services, prometheus: Prometheus }} given
 * @param {Run} run
 */
async function measurePart(one, { which, folder, cores, services, prometheus }, run) {
  const died = services.failure(); // between two rounds
  if (died) throw died;
  const sampler = startSampler(
    join(folder, 'services.ndjson'),
    services.list.filter(({ sampled }) => sampled),
  );
  const started = Date.now();
  let k6;
  let faults;
  let ended;
  /** @type {import('../services/faults.js').FaultRecord[]} */
  let suffered = [];
  try {
    const share = which.parts > 1 ? `${which.part}/${which.parts}` : null;
    k6 = await startGenerators(
      one,
      { folder, url: services.url, share, cores, stream: prometheus.streamOf(which) },
      run,
    );
    sampler.watch(k6.running);
    faults = inflictFaults(one, { services, began: k6.began }, run);
    await Promise.race([k6.exited, services.died, faults.failed, run.interrupt.told]);
  } finally {
    ended = Date.now();
    const wanted = k6?.ended() === true && !services.failure() && !run.interrupt.asked;
    await k6?.end();
    sampler.stop();
    if (faults) suffered = await faults.end(wanted);
  }
  refuseIncomplete(k6, { folder, services, run });
  await prometheus.read(which, folder, k6.folders);
  const { complete, interrupted } = k6.iterations();
  await writeJson(join(folder, 'round.json'), {
    ...which,
    started,
    ended,
    k6_exit: k6.exitCode(),
    instances: one.instances,
    interrupted_iterations: interrupted,
    complete_iterations: complete,
    faults: suffered,
    problems: k6.problems(),
  });
}

/**
 * @param {import('../generator/generators.js').Generators} k6
 * @param {{ folder: string, services: Services, run: Run }} given
 * @throws {CaseFailure | Interrupted}
 */
function refuseIncomplete(k6, { folder, services, run }) {
  const died = services.failure();
  if (died) throw died;
  if (run.interrupt.asked) throw new Interrupted();
  const failed = k6.failed();
  const failure = failed?.reason ?? k6.folders.map(missingFile).find((missing) => missing !== null);
  if (!failure) return;
  const full = diskFullError(folder);
  if (full) throw full;
  throw new CaseFailure(failure, { log: failed?.log ?? k6.running[0].log });
}

/** @param {string} folder @returns {string | null} */
function missingFile(folder) {
  try {
    JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    return null;
  } catch (error) {
    return `k6 left no summary that can be read: ${/** @type {Error} */ (error).message}`;
  }
}
