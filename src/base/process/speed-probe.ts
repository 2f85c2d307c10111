import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/**
 * How long fixed work takes, in milliseconds: what differs between two sessions by more than a few percent is another machine,
 * or the same one with other guests beside it.
 */
type WorkTimes = { integer_ms: number; memory_ms: number; hash_ms: number };

/** one: by one thread; all: by as many as there are cores, their mean */
export type MachineSpeed = { one: WorkTimes; all: WorkTimes };

/**
 * Each is done as often as fits into so many milliseconds, and the shortest counts: what else runs makes some of them longer, and
 * none shorter. Memory scatters most.
 */
const budget_ms = { integers: 40, memory: 120, hash: 40 };

const integerSteps = 1_000_000;
const memory_bytes = 16 << 20;
const hash_bytes = 1 << 20;

/** @returns what came of it, so that it is not left out */
function integers(): number {
  let x = 2463534242;
  let sum = 0;
  for (let i = 0; i < integerSteps; i += 1) {
    x ^= x << 13; // xorshift: Marsaglia, Journal of Statistical Software 8, 2003
    x ^= x >>> 17;
    x ^= x << 5;
    sum = (sum + Math.imul(x, 0x9e3779b1)) | 0;
  }
  return sum;
}

/** Does the work of one thread. */
function timesOfThread(): WorkTimes {
  const from = Buffer.alloc(memory_bytes, 1);
  const to = Buffer.alloc(memory_bytes);
  const hashed = from.subarray(0, hash_bytes);
  const shortest = (for_ms: number, work: () => unknown) => {
    let least = Infinity;
    const end = performance.now() + for_ms;
    while (performance.now() < end || least === Infinity) {
      const began = performance.now();
      work();
      least = Math.min(least, performance.now() - began);
    }
    return Math.round(least * 1000) / 1000;
  };
  integers(); // compiled
  return {
    integer_ms: shortest(budget_ms.integers, integers),
    memory_ms: shortest(budget_ms.memory, () => from.copy(to)),
    hash_ms: shortest(budget_ms.hash, () => createHash('sha256').update(hashed).digest()),
  };
}

/** Measures how fast the machine is now, in about half a second. Nothing else of ours may run meanwhile. */
export async function probeSpeed(): Promise<MachineSpeed> {
  const [one] = await timesOf(1);
  const all = await timesOf(availableParallelism());
  const mean = (key: keyof WorkTimes) =>
    Math.round((all.reduce((sum, times) => sum + times[key], 0) / all.length) * 1000) / 1000;
  return { one, all: { integer_ms: mean('integer_ms'), memory_ms: mean('memory_ms'), hash_ms: mean('hash_ms') } };
}

const timesOf = (threads: number): Promise<WorkTimes[]> =>
  Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL(import.meta.url));
      const [times] = await once(worker, 'message');
      await worker.terminate();
      return times;
    }),
  );

if (!isMainThread && parentPort) parentPort.postMessage(timesOfThread());
