/**
 * Whether the run was told to stop. `told` is fulfilled at the first signal, and never rejected.
 * @typedef {{ asked: boolean, told: Promise<void> }} Interrupt
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
  let tell = () => {};
  /** @type {Interrupt & { close: () => void }} */
  const interrupt = {
    asked: false,
    told: new Promise((resolve) => {
      tell = resolve;
    }),
    close: () => {
      for (const name of signals) source.off(name, heard);
    },
  };
  function heard() {
    if (interrupt.asked) return later();
    interrupt.asked = true;
    first();
    tell();
  }
  for (const name of signals) source.on(name, heard);
  return interrupt;
}
