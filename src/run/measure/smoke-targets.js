import { Interrupted, RequestFailure } from '../../base/process/failure.js';
import { isSmoked, smoke } from '../generator/smoke.js';

/** @import { CaseFile } from '../generator/k6.js' */
/** @import { CaseFailure } from '../../base/process/failure.js' */
/** @import { Run } from '../run-context.js' */
/** @import { LoadTarget } from './measure-load.js' */

/** Cases that were tried, by what they are measured with. @type {WeakSet<CaseFile>} */
const tried = new WeakSet();

/**
 * Tries a case's requests before its first load, once: on both sides of a duet, each by itself.
 * @param {CaseFile} measured
 * @param {{ folder: string, targets: readonly LoadTarget[], cores: string | null }} given
 * @param {Run} run
 * @throws {CaseFailure | Interrupted} a request failed, in a duet with the side; or k6 did
 */
export async function smokeTargets(measured, { folder, targets, cores }, run) {
  if (tried.has(measured) || !isSmoked(measured.benchCase)) return;
  tried.add(measured);
  for (const { side, services } of targets) {
    try {
      await smoke(measured, { folder, target: services, cores, died: services.died }, run);
    } catch (error) {
      throw side !== null && error instanceof RequestFailure ? error.of(side) : error;
    }
    if (run.interrupt.asked) throw new Interrupted();
  }
}
