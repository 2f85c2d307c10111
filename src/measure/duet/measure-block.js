import { join } from 'node:path';
import { startGenerators } from '../../generator/generators.js';
import { makeFolder, writeJson } from '../../io/files.js';
import { CaseFailure, Interrupted } from '../../process/failure.js';
import { startSampler } from '../../services/sampler.js';
import { startServices } from '../../services/services.js';
import { shuffled } from '../../session/random-order.js';
import { sideNames, splitBlock } from './split.js';

/**
 * @typedef {import('./split.js').SideName} SideName
 * @typedef {import('../../services/services.js').Services} Services
 * @typedef {import('../../run-context.js').Run} Run
 * @typedef {{ warmup_s: number, seconds: number }} Timing
 * @typedef {{ block: number, folder: string, timing: Timing, runs: Record<SideName, Run>, cores: string | null,
 *   random: () => number }} BlockContext folder: of the case; runs: the run as each side sees it
 * @typedef {Partial<Record<SideName, Services>>} Sides those that are up
 */

/**
 * Measures one block: both sides started afresh, in random order and on random ports, one k6 process that sends every
 * iteration to both, both ended.
 * @param {import('./pair-cases.js').PairedCase} pair
 * @param {BlockContext} context
 * @returns {Promise<void>}
 * @throws {CaseFailure | Interrupted} then the block is none
 */
export async function measureBlock(pair, { block, folder, timing, runs, cores, random }) {
  const place = makeFolder(join(folder, `block-${block}`));
  /** @type {Sides} */
  const sides = {};
  try {
    for (const side of shuffled(sideNames, random)) sides[side] = await startSide(side, pair, place, runs);
    const { base, head } = /** @type {Record<SideName, Services>} */ (sides);
    await play(pair, sides, { place, url: base.url, headUrl: head.url, timing, cores, run: runs.head });
  } finally {
    await Promise.all(Object.values(sides).map((services) => services.stop()));
  }
  await splitBlock(place, { base: roundOf(folder, 'base', block), head: roundOf(folder, 'head', block) });
}

/**
 * Measures one block of a system of which two copies cannot run at once: one side after the other, in random order,
 * each alone.
 * @param {import('./pair-cases.js').PairedCase} pair
 * @param {BlockContext} context
 * @returns {Promise<void>}
 * @throws {CaseFailure | Interrupted}
 */
export async function measureInTurn(pair, { block, folder, timing, runs, cores, random }) {
  for (const side of shuffled(sideNames, random)) {
    const place = makeFolder(join(folder, `block-${block}`, `${side}-alone`));
    const services = await startSide(side, pair, place, runs);
    try {
      await play(
        pair,
        { [side]: services },
        { place, url: services.url, headUrl: null, timing, cores, run: runs.head },
      );
    } finally {
      await services.stop();
    }
    await splitBlock(place, { [side]: roundOf(folder, side, block) });
  }
}

/** @param {string} folder @param {SideName} side @param {number} block */
const roundOf = (folder, side, block) => join(folder, side, `round-${block}`);

/**
 * @param {SideName} side
 * @param {import('./pair-cases.js').PairedCase} pair
 * @param {string} place of the block
 * @param {Record<SideName, Run>} runs
 */
async function startSide(side, pair, place, runs) {
  try {
    return await startServices(pair[side], makeFolder(join(place, side)), runs[side]);
  } catch (error) {
    throw error instanceof CaseFailure ? ofSide(side, error) : error;
  }
}

/**
 * @param {import('./pair-cases.js').PairedCase} pair
 * @param {Sides} sides
 * @param {{ place: string, url: string, headUrl: string | null, timing: Timing, cores: string | null, run: Run }} given
 */
async function play({ lane }, sides, { place, url, headUrl, timing, cores, run }) {
  const up = /** @type {[SideName, Services][]} */ (Object.entries(sides));
  const sampler = startSampler(
    join(place, 'services.ndjson'),
    up.flatMap(([side, services]) => sampledOf(side, services)),
  );
  const started = Date.now();
  let k6;
  try {
    const round = { folder: place, url, duet: { headUrl, timing }, share: null, cores, stream: null };
    k6 = await startGenerators(lane, round, run);
    sampler.watch(k6.running);
    await Promise.race([k6.exited, ...up.map(([, services]) => services.died), run.interrupt.told]);
  } finally {
    await k6?.end();
    sampler.stop();
  }
  for (const [side, services] of up) {
    const died = services.failure();
    if (died) throw ofSide(side, died);
  }
  if (run.interrupt.asked) throw new Interrupted();
  const failed = k6.failed();
  if (failed) throw new CaseFailure(failed.reason, { log: failed.log });
  const { complete, interrupted } = k6.iterations();
  await writeJson(join(place, 'round.json'), {
    round: 1,
    part: 1,
    parts: 1,
    instances: 1,
    started,
    ended: Date.now(),
    k6_exit: k6.exitCode(),
    interrupted_iterations: interrupted,
    complete_iterations: complete,
    faults: [],
  });
}

/** A service under a name that tells its side. @param {SideName} side @param {Services} services */
const sampledOf = (side, { list }) =>
  list
    .filter(({ sampled }) => sampled)
    .map(({ name, running }) => ({ name: `${side}/${name}`, running, wanted: true }));

/**
 * A failure that says whose it is; one of a build is that of several cases.
 * @param {SideName} side
 * @param {CaseFailure} failure
 * @returns {CaseFailure & { side: SideName }}
 */
export const ofSide = (side, failure) =>
  Object.assign(failure, {
    side,
    message: failure.message.startsWith(`${side}: `) ? failure.message : `${side}: ${failure.message}`,
  });
