import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * A chart that is not drawn yet. vega: the compiled chart's text; data: JSON
 * @typedef {{ name: string, vega: string, data: string }} Task
 *
 * @typedef {{ feed: () => void, done: Promise<void>, close: () => void }} Helper done: all tasks are, once there will be no
 *   more
 */

/** The first worker draws while pages are made. A second loads Vega in a quarter of a second, the time of about fifty drawings. */
const worthAnother = 50;
const mostWorkers = Math.min(4, availableParallelism());
/** What a worker has at hand: it does not wait for its next task. */
const ahead = 4;

/**
 * Draws charts, on all cores when they are many, beginning while others are still asked for.
 * @param {string} folder where pictures are kept
 */
export function openPool(folder) {
  /** @type {Task[]} */
  const queue = [];
  /** @type {Helper[]} */
  const helpers = [];
  const state = { queue, complete: false };
  return {
    /** @param {Task} task */
    add(task) {
      queue.push(task);
      if (helpers.length < mostWorkers && queue.length > worthAnother * helpers.length)
        helpers.push(helperOf(folder, state));
      for (const helper of helpers) helper.feed();
    },
    /** Waits until all is drawn. @throws {Error} what cannot be drawn */
    async finish() {
      state.complete = true;
      for (const helper of helpers) helper.feed();
      await Promise.all(helpers.map(({ done }) => done));
    },
    /** Ends it, whatever was drawn. */
    close() {
      for (const helper of helpers) helper.close();
    },
  };
}

/**
 * One worker, given its tasks from the queue that it shares with the others.
 * @param {string} folder
 * @param {{ queue: Task[], complete: boolean }} state
 * @returns {Helper}
 */
function helperOf(folder, state) {
  const worker = new Worker(new URL('./draw-worker.js', import.meta.url), { workerData: folder });
  let drawing = 0;
  /** @type {() => void} */
  let feed = () => {};
  const done = new Promise((resolve, reject) => {
    feed = () => {
      for (; drawing < ahead && state.queue.length; drawing += 1) worker.postMessage(state.queue.shift());
      if (drawing === 0 && state.complete) resolve(undefined);
    };
    worker.on('message', () => {
      drawing -= 1;
      feed();
    });
    worker.on('error', reject);
  });
  done.catch(() => {}); // thrown by finish()
  return { feed, done, close: () => void worker.terminate() };
}
