// Loads every core at random: a burst of work, a pause, a burst … A program of its own, so that the measuring one is not
// slowed down: node bursts.js
import { availableParallelism } from 'node:os';
import { isMainThread, Worker } from 'node:worker_threads';

/** Milliseconds of a burst and of a pause, at the most: bursts are shorter and longer than a block's warm-up. */
const longest_ms = 2000;

if (isMainThread) {
  for (let core = 0; core < availableParallelism(); core += 1) new Worker(new URL(import.meta.url));
} else {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const until = performance.now() + Math.random() * longest_ms;
    while (performance.now() < until);
    Atomics.wait(clock, 0, 0, Math.random() * longest_ms);
  }
}
