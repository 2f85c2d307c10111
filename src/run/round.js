import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endCommand } from './command.js';
import { diskFullError } from './disk.js';
import { CaseFailure, Interrupted } from './failure.js';
import { makeFolder, writeJson } from './files.js';
import { k6Failure, startK6 } from './k6.js';
import { startSampler } from './sampler.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('./context.js').Run} Run
 * @typedef {import('./services.js').Services} Services
 * @typedef {{ round: number, part: number, parts: number }} Which
 */

/** The data of a round that did not complete would only be half of it; its logs stay. */
const dataFiles = ['summary.json', 'timeline.ndjson', 'services.ndjson', 'round.json'];

/**
 * Measures one round, in as many k6 processes as it is cut into. Its last file is round.json; on any error no data is
 * left.
 * @param {Case} one
 * @param {{ round: number, parts: number, folder: string, cores: string | null, services: Services }} given folder: of
 *   the case; cores: those that k6 is pinned to
 * @param {Run} run
 * @throws {CaseFailure | Interrupted}
 */
export async function measureRound(one, { round, parts, folder, cores, services }, run) {
  const suffix = (/** @type {number} */ part) => (parts === 1 ? '' : `.${part}`);
  const folders = Array.from({ length: parts }, (_, index) => join(folder, `round-${round}${suffix(index + 1)}`));
  try {
    for (const [index, place] of folders.entries()) {
      const which = { round, part: index + 1, parts };
      await measurePart(one, { which, folder: makeFolder(place), cores, services }, run);
    }
  } catch (error) {
    for (const place of folders) for (const file of dataFiles) rmSync(join(place, file), { force: true });
    throw error;
  }
}

/**
 * @param {Case} one
 * @param {{ which: Which, folder: string, cores: string | null, services: Services }} given
 * @param {Run} run
 */
async function measurePart(one, { which, folder, cores, services }, run) {
  const died = services.failure(); // between two rounds
  if (died) throw died;
  const sampled = services.list.filter((service) => service.sampled).map(({ running }) => running);
  const sampler = startSampler(join(folder, 'services.ndjson'), sampled);
  const started = Date.now();
  let k6;
  let ended;
  try {
    const share = which.parts > 1 ? `${which.part}/${which.parts}` : null;
    k6 = await startK6(one, { folder, url: services.url, share, cores }, run);
    sampler.watch(k6.running);
    await Promise.race([k6.running.exited, services.died, run.interrupt.told]);
  } finally {
    ended = Date.now();
    if (k6) await endK6(k6.running);
    sampler.stop();
  }
  refuseIncomplete(k6.running, { folder, services, run });
  const { complete, interrupted } = k6.iterations();
  await writeJson(join(folder, 'round.json'), {
    ...which, started, ended, k6_exit: k6.running.exit?.code ?? null, signal: null,
    interrupted_iterations: interrupted, complete_iterations: complete, services_alive: true, reason: null,
  });
}

/** Milliseconds that k6 has to end by itself when its round is of no use any more. */
const patience_ms = 3000;

/** @param {import('./command.js').Running} k6 mostly it has ended already */
async function endK6(k6) {
  await endCommand(k6, 'SIGINT', patience_ms);
  k6.log.close();
}

/**
 * @param {import('./command.js').Running} k6
 * @param {{ folder: string, services: Services, run: Run }} given
 * @throws {CaseFailure | Interrupted}
 */
function refuseIncomplete(k6, { folder, services, run }) {
  const died = services.failure();
  if (died) throw died;
  if (run.interrupt.asked) throw new Interrupted();
  const failure = k6Failure(/** @type {import('./command.js').Exit} */ (k6.exit)) ?? missingFile(folder);
  if (!failure) return;
  const full = diskFullError(folder);
  if (full) throw full;
  throw new CaseFailure(failure, { log: k6.log });
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
