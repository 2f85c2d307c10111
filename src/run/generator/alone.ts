import { Interrupted } from '../../base/process/failure.js';
import { type Guard, startGuard } from '../../base/process/guard.js';
import { type Interrupt, listenForInterrupt } from '../../base/process/interrupt.js';

/**
 * Does work that starts processes where no run is: of all that it starts nothing is left, however it or we end.
 * @param folder where it writes
 * @param on stopping: called at the first signal; code: what the process ends with at a later one
 * @returns false: it was interrupted
 */
export async function alone(
  folder: string,
  { stopping, code }: { stopping: () => void; code: number },
  work: (owner: { id: string; guard: Guard; interrupt: Interrupt }) => Promise<void>,
): Promise<boolean> {
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
