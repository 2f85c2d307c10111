import { readFileSync, statSync } from 'node:fs';
import { namesIn, readOrNull } from './processes.js';

/** The auxiliary vector (getauxval(3)) has two words an entry: a type and a value. */
const auxiliary = { pageSize: 6, clockTicks: 17 };

/** Reads a number that the kernel gave to our own process at its start. */
function auxiliaryValue(type: number, otherwise: number) {
  try {
    const words = new BigUint64Array(new Uint8Array(readFileSync('/proc/self/auxv')).buffer);
    const at = words.findIndex((word, index) => index % 2 === 0 && word === BigInt(type));
    return at < 0 ? otherwise : Number(words[at + 1]);
  } catch {
    return otherwise;
  }
}

/** Ticks a second of the times in /proc/<pid>/stat and /proc/stat. */
export const clockTicks = auxiliaryValue(auxiliary.clockTicks, 100);
const pageSize = auxiliaryValue(auxiliary.pageSize, 4096);
const tick_ns = 1e9 / clockTicks;

/**
 * What is known of the CPU time of one process: of each of its threads (those that ended stay), and what threads used
 * that we have never seen.
 * shared: where it is asked for
 */
type Account = { threads: Map<string, number>; unseen_ns: number; shared?: SharedMemory };

/** How much less than its RSS a process's share of memory is, and when that is to be read again. */
type SharedMemory = { bytes: number; due: number };

/**
 * The kernel walks all pages of a process to say its PSS, 30 ms for a gigabyte: it is asked seldom enough that this takes at
 * most such a share of the time. In between, what is shared is taken to be the same, and RSS says how much there is.
 */
const mostOfTime = 0.01;

/**
 * A meter of the CPU time and memory of a family of processes. CPU time never falls, though threads and children end.
 *
 * schedstat counts nanoseconds, but only of threads that live. stat counts ticks, also of threads that have ended, and
 * of children that have ended and were waited for: at least that much was used. So a service that starts a thread or a
 * process for each request is measured too, to the tick.
 * @param options pss: read the proportional set size too, in which a page that several processes share counts once
 * @returns read now; cpu_ns since each began; memory_bytes: RSS, summed; pss_bytes: null where the system does not say it of
 *   one of them
 */
export function usageMeter({
  pss = false,
}: {
  pss?: boolean;
} = {}): (pids: readonly number[]) => { cpu_ns: number; memory_bytes: number; pss_bytes?: number | null } {
  const accounts: Map<number, Account> = new Map();
  /** what children had used that ended before the first look */
  let before_ns: number | null = null;
  let ended_ns = 0;
  let highest_ns = 0;
  return (pids) => {
    for (const [pid, account] of accounts) {
      if (pids.includes(pid)) continue;
      ended_ns += usedBy(account);
      accounts.delete(pid);
    }
    let children_ns = 0;
    let memory_bytes = 0;
    let pss_bytes: number | null = 0;
    for (const pid of pids) {
      const account = accounts.get(pid) ?? { threads: new Map(), unseen_ns: 0 };
      const read = readInto(account, pid);
      if (!read) continue;
      accounts.set(pid, account);
      children_ns += read.children_ns;
      memory_bytes += read.memory_bytes;
      if (!pss || pss_bytes === null) continue;
      const own = ownMemory(account, pid, read.memory_bytes);
      pss_bytes = own === null ? null : pss_bytes + own;
    }
    before_ns ??= children_ns;
    const own_ns = sum([...accounts.values()].map(usedBy));
    // A child that ended is in both numbers when its parent has waited for it, and only in the first when not.
    highest_ns = Math.max(highest_ns, own_ns + before_ns + Math.max(ended_ns, children_ns - before_ns));
    return { cpu_ns: highest_ns, memory_bytes, ...(pss && { pss_bytes }) };
  };
}

/**
 * The memory of a process, of shared pages its share.
 * @returns null: the system does not say
 */
function ownMemory(account: Account, pid: number, rss_bytes: number): number | null {
  const begin = performance.now();
  if (rss_bytes === 0) return 0; // a zombie, or of the kernel
  if (account.shared === undefined || account.shared.due <= begin) {
    const text = readOrNull(`/proc/${pid}/smaps_rollup`);
    if (text === null) return Number(readOrNull(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0) > 0 ? null : 0; // it may have ended just now
    const kB = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]);
    const now = performance.now();
    account.shared = { bytes: (kB('Rss') - kB('Pss')) * 1024, due: now + (now - begin) / mostOfTime };
  }
  return Number.isFinite(account.shared.bytes) ? Math.max(0, rss_bytes - account.shared.bytes) : null;
}

/** @returns nanoseconds */
const usedBy = ({ threads, unseen_ns }: Account): number => sum(threads.values()) + unseen_ns;

/**
 * Brings an account up to date.
 * @returns null: the process has ended
 */
function readInto(account: Account, pid: number): { children_ns: number; memory_bytes: number } | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    const text = readOrNull(`/proc/${pid}/task/${thread}/schedstat`);
    if (text !== null) account.threads.set(thread, parseInt(text, 10));
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime, stime, cutime, cstime] = fields.slice(11, 15);
  const missing = (utime + stime) * tick_ns - usedBy(account);
  // Both times are cut to the tick: a step of less than two would only add their jitter to the nanoseconds.
  if (missing > 2 * tick_ns || (account.unseen_ns === 0 && missing > 0)) account.unseen_ns += missing;
  return { children_ns: (cutime + cstime) * tick_ns, memory_bytes: fields[21] * pageSize };
}

/**
 * CPU time of our own children that have ended, to the tick: what is left to read of one when it has.
 * @returns nanoseconds
 */
export function endedChildren_ns(): number {
  const stat = readOrNull('/proc/self/stat') ?? '';
  const [cutime, cstime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
    .slice(13, 15);
  return (cutime + cstime) * tick_ns;
}

/** How many descriptors a process has open. */
export function descriptorsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  try {
    return statSync(folder).size || namesIn(folder).length; // since Linux 6.2 the size is the number
  } catch {
    return 0;
  }
}

/**
 * A meter of the bytes that all interfaces of a process's network namespace took and sent since they are up, the
 * loopback's included. While there is no process to ask through, it stays where it was.
 */
export function networkMeter(): (pid: number) => { network_rx_bytes: number; network_tx_bytes: number } {
  const add = networkTotals();
  let last = { network_rx_bytes: 0, network_tx_bytes: 0 };
  return (pid) => {
    const table = readOrNull(`/proc/${pid}/net/dev`);
    if (table) last = add(table); // it is empty for a zombie
    return last;
  };
}

/**
 * Adds up what interfaces count, interface by interface: one that goes, as when a container ends, takes nothing away.
 * @returns table: /proc/<pid>/net/dev
 */
export function networkTotals(): (table: string) => { network_rx_bytes: number; network_tx_bytes: number } {
  /** by interface: what it had received and sent */
  const before: Map<string, number[]> = new Map();
  const total = [0, 0];
  return (table) => {
    for (const line of table.split('\n').slice(2).filter(Boolean)) {
      const [name, counters] = line.split(/:(.*)/s);
      const fields = counters.trim().split(/\s+/).map(Number);
      const now = [fields[0], fields[8]];
      const then = before.get(name.trim()) ?? [0, 0];
      // Another one of the same name counts from zero.
      for (const i of [0, 1]) total[i] += now[i] >= then[i] ? now[i] - then[i] : now[i];
      before.set(name.trim(), now);
    }
    return { network_rx_bytes: total[0], network_tx_bytes: total[1] };
  };
}

/**
 * The whole machine.
 * @returns cpu_ns: busy, of all cores, since it booted
 */
export function machineUsage(): { cpu_ns: number; memory_available_bytes: number } {
  const [all] = (readOrNull('/proc/stat') ?? '').split('\n');
  const [user, nice, system, , , irq, softirq] = all.split(/\s+/).slice(1).map(Number);
  const available = readOrNull('/proc/meminfo')?.match(/^MemAvailable:\s+(\d+) kB/m)?.[1];
  return {
    cpu_ns: (user + nice + system + irq + softirq) * tick_ns,
    memory_available_bytes: Number(available ?? 0) * 1024,
  };
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
