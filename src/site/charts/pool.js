import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** @typedef {import('./drawings.js').Task} Task */

/** A worker loads Vega in a quarter of a second, the time of about fifty drawings. */
const worthAWorker = 50;
const mostWorkers = 4;

/**
 * Draws charts, many of them on all cores.
 * @param {Task[]} tasks
 * @param {(task: Task, svg: string) => Promise<void>} done
 */
export async function drawAll(tasks, done) {
  if (!tasks.length) return;
  const workers = Math.min(mostWorkers, availableParallelism(), Math.ceil(tasks.length / worthAWorker));
  if (workers < 2) return drawHere(tasks, done);
  const queue = tasks.values();
  await Promise.all(Array.from({ length: workers }, () => drawThere(queue, done)));
}

/**
 * @param {Task[]} tasks
 * @param {(task: Task, svg: string) => Promise<void>} done
 */
async function drawHere(tasks, done) {
  const { draw } = await import('./draw.js');
  for (const task of tasks) await done(task, await draw(task.vega, JSON.parse(task.data)));
}

/**
 * One worker, given a task at a time from the queue it shares with the others.
 * @param {Iterator<Task>} queue
 * @param {(task: Task, svg: string) => Promise<void>} done
 * @returns {Promise<void>}
 */
function drawThere(queue, done) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./draw-worker.js', import.meta.url));
    const end = (/** @type {unknown} */ error) => worker.terminate().then(() => (error ? reject(error) : resolve()));
    const next = () => {
      const { value: task, done: empty } = queue.next();
      if (empty) return void end(null);
      worker.once('message', (svg) => done(task, svg).then(next, end));
      worker.postMessage(task);
    };
    worker.on('error', end);
    next();
  });
}
