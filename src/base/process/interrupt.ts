/** Whether the run was interrupted. `signalled` is fulfilled at the first signal, and never rejected. */
export type Interrupt = { asked: boolean; signalled: Promise<void> };

/** Ctrl-C, an ordinary kill, a terminal that was closed. */
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Listens for signals: the first asks the run to stop, any later one ends it at once. */
export function listenForInterrupt(
  { first, later }: { first: () => void; later: () => void },
  source: Pick<NodeJS.Process, 'on' | 'off'> = process,
): Interrupt & { close: () => void } {
  let resolveSignalled = () => {};
  const interrupt: Interrupt & { close: () => void } = {
    asked: false,
    signalled: new Promise((resolve) => {
      resolveSignalled = resolve;
    }),
    close: () => {
      for (const name of signals) source.off(name, heard);
    },
  };
  function heard() {
    if (interrupt.asked) return later();
    interrupt.asked = true;
    first();
    resolveSignalled();
  }
  for (const name of signals) source.on(name, heard);
  return interrupt;
}
