/**
 * Whether the run was interrupted. `signalled` is fulfilled at the first signal, and never rejected.
 * @typedef {{ asked: boolean, signalled: Promise<void> }} Interrupt
 */

/** Ctrl-C, an ordinary kill, a terminal that was closed. @type {readonly NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Listens for signals: the first asks the run to stop, any later one ends it at once.
 * @param {{ first: () => void, later: () => void }} listener
 * @param {Pick<NodeJS.Process, 'on' | 'off'>} [source]
 * @returns {Interrupt & { close: () => void }}
 */
export function listenForInterrupt({ first, later }, source = process) {
  let resolveSignalled = () => {};
  /** @type {Interrupt & { close: () => void }} */
  const interrupt = {
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
