import { Interrupted, RequestFailure } from '../../base/process/failure.js';
import type { CaseFile } from '../generator/k6.js';
import { isSmoked, smoke } from '../generator/smoke.js';
import type { Run } from '../run-context.js';
import type { LoadTarget } from './measure-load.js';

/** Cases that were tried, by what they are measured with. */
const tried: WeakSet<CaseFile> = new WeakSet();

/**
 * Tries a case's requests before its first load, once: on both sides of a duet, each by itself.
 * @throws {CaseFailure | Interrupted} a request failed, in a duet with the side; or k6 did
 */
export async function smokeTargets(
  measured: CaseFile,
  { folder, targets, cores }: { folder: string; targets: readonly LoadTarget[]; cores: string | null },
  run: Run,
) {
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
