import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A chart that is not drawn yet. vega: the compiled chart's text; data: JSON */
type Task = { name: string; vega: string; data: string };

/** done: all tasks are, once there will be no more */
type Helper = { feed: () => void; done: Promise<void>; close: () => void };

/** The first worker draws while pages are made. A second loads Vega in a quarter of a second, the time of about fifty drawings. */
const worthAnother = 50;
const mostWorkers = Math.min(4, availableParallelism());
/** What a worker has at hand: it does not wait for its next task. */
const ahead = 4;

/**
 * Draws charts, on all cores when they are many, beginning while others are still asked for.
 * @param folder where pictures are kept
 */
export function openPool(folder: string) {
  const queue: Task[] = [];
  const helpers: Helper[] = [];
  const state = { queue, complete: false };
  return {
    add(task: Task) {
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

/** One worker, given its tasks from the queue that it shares with the others. */
function helperOf(folder: string, state: { queue: Task[]; complete: boolean }): Helper {
  const worker = new Worker(new URL('./draw-worker.js', import.meta.url), { workerData: folder });
  let drawing = 0;
  let feed: () => void = () => {};
  const done = new Promise<void>((resolve, reject) => {
    feed = () => {
      for (; drawing < ahead && state.queue.length; drawing += 1) worker.postMessage(state.queue.shift());
      if (drawing === 0 && state.complete) resolve();
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
