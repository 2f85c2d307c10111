import { Interrupted } from '../../base/process/failure.js';
import { startGuard } from '../../base/process/guard.js';
import { listenForInterrupt } from '../../base/process/interrupt.js';

/** @import { Guard } from '../../base/process/guard.js' */
/** @import { Interrupt } from '../../base/process/interrupt.js' */

/**
 * Does work that starts processes where no run is: of all that it starts nothing is left, however it or we end.
 * @param {string} folder where it writes
 * @param {{ stopping: () => void, code: number }} on stopping: called at the first signal; code: what the process ends with at a
 *   later one
 * @param {(owner: { id: string, guard: Guard,
 *   interrupt: Interrupt }) => Promise<void>} work
 * @returns {Promise<boolean>} false: it was interrupted
 */
export async function alone(folder, { stopping, code }, work) {
  const id = `generate-${Date.now()}-${process.pid}`;
  const guard = startGuard(id, folder);
  const interrupt = listenForInterrupt({
    first: stopping,
    later: () => {
      guard.killAll();
      process.exit(code);
    },
  });
  try {
    await work({ id, guard, interrupt });
    return true;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return false;
  } finally {
    guard.killAll();
    guard.close();
    interrupt.close();
  }
}
