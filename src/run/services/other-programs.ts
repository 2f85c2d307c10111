import type { Process } from '../../base/process/processes.js';
import { clockTicks } from '../../base/process/usage.js';

/**
 * The CPU time that a program of somebody else used while a load ran, all of its processes together; name: the kernel's, of at
 * most 15 characters: no path, and no arguments, which may hold secrets.
 */
export type OtherProgram = { name: string; cpu_ms: number };

/** What engines forward connections with: it is counted by itself. */
const forwarder = 'docker-proxy';

/** Of so many programs, those that used the most, a round says how much it was. */
const most = 3;

/**
 * Counts the CPU time of all programs but ours, from tables of the machine's processes, which a sampler reads anyway.
 * @returns ours: pids of services and generators; what descends from them, or from us, is ours too
 */
export function otherPrograms(): {
  look: (table: readonly Process[], ours: Iterable<number>) => void;
  busiest: () => OtherProgram[];
} {
  /** by process */
  const counted: Map<string, { name: string; from: number; to: number }> = new Map();
  /** Who was ours once, stays ours: a daemon loses its parent. */
  const excluded: Set<string> = new Set();
  let isFirst = true;
  return {
    look(table, ours) {
      const own = withDescendants(table, [process.pid, ...ours]);
      for (const { pid, start, name, cpu_ticks } of table) {
        const id = `${pid} ${start}`;
        if (own.has(pid)) excluded.add(id);
        const known = counted.get(id);
        if (known) Object.assign(known, { name, to: cpu_ticks });
        else counted.set(id, { name, from: isFirst ? cpu_ticks : 0, to: cpu_ticks });
      }
      isFirst = false;
    },
    busiest() {
      const used: Map<string, number> = new Map();
      for (const [id, { name, from, to }] of counted) {
        if (excluded.has(id) || name === forwarder) continue;
        const plain = name.replace(/\p{C}+/gu, ' ').trim();
        used.set(plain, (used.get(plain) ?? 0) + ((to - from) * 1000) / clockTicks);
      }
      return [...used]
        .map(([name, cpu_ms]) => ({ name, cpu_ms }))
        .filter(({ cpu_ms }) => cpu_ms > 0)
        .sort((a, b) => b.cpu_ms - a.cpu_ms)
        .slice(0, most);
    },
  };
}

/** @returns these, and all that descend from them */
function withDescendants(table: readonly Process[], pids: Iterable<number>): Set<number> {
  const found = new Set(pids);
  for (let grown = -1; grown !== found.size; ) {
    grown = found.size;
    for (const { pid, ppid } of table) if (found.has(ppid)) found.add(pid);
  }
  return found;
}
