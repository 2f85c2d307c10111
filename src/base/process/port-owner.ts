import type { Running } from './command.js';
import { linkOrEmpty, namesIn, pids, readOrNull, readProcess } from './processes.js';

/** Who listens on a port. */
export type PortOwner = { pid: number; start: number; command: string };

/**
 * Finds the process that listens on a TCP port, by the inode of its socket (proc(5): /proc/net/tcp, /proc/<pid>/fd).
 * @returns null: no process listens, or it cannot be seen (another user's process)
 */
export function portOwner(port: number): PortOwner | null {
  const sockets = new Set(
    listening()
      .filter((listener) => listener.port === port)
      .map(({ socket }) => socket),
  );
  if (sockets.size === 0) return null;
  for (const pid of pids()) {
    if (!openFiles(pid).some((file) => sockets.has(file))) continue;
    const found = readProcess(pid);
    if (found) return { pid, start: found.start, command: commandLine(pid) ?? found.name };
  }
  return null;
}

/** Who listens on a port that a service should have, when it is neither the service nor anything it started. */
export function unknownListenerOn(port: number, service: Running): PortOwner | null {
  const owner = portOwner(port);
  return owner && !service.processes().some(({ pid }) => pid === owner.pid) ? owner : null;
}

/**
 * The TCP ports that any of these processes listens on.
 * @returns each once, in order
 */
export function portsOf(processes: { pid: number }[]): number[] {
  const files = new Set(processes.flatMap(({ pid }) => openFiles(pid)));
  const ports = listening()
    .filter(({ socket }) => files.has(socket))
    .map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Finds who answers at an address of this machine that is none of these processes.
 * @param host an address of this machine, or localhost
 * @returns owner: null where it cannot be seen (another user's process); null: they listen there themselves, or none does
 */
export function unknownListenerAt(
  host: string,
  port: number,
  processes: { pid: number }[],
): { owner: PortOwner | null } | null {
  const sockets = answering(host, port);
  if (sockets.length === 0) return null;
  const own = new Set(processes.flatMap(({ pid }) => openFiles(pid)));
  return sockets.every((socket) => own.has(socket)) ? null : { owner: portOwner(port) };
}

/** The sockets that take connections to an address: those bound to it, or else those bound to all addresses. */
function answering(host: string, port: number) {
  const at = listening().filter((listener) => listener.port === port);
  const bound = at.filter(({ address }) => addressesOf(host).includes(address));
  return (bound.length > 0 ? bound : at.filter(({ address }) => /^0+$/.test(address))).map(({ socket }) => socket);
}

/** As /proc/net/tcp writes them: words in the machine's byte order (little-endian). */
function addressesOf(host: string) {
  const six = '00000000000000000000000001000000';
  if (host === '[::1]') return [six];
  const bytes = host === 'localhost' ? [127, 0, 0, 1] : host.split('.').map(Number);
  const hexadecimal = bytes.reverse().map((byte) => byte.toString(16).padStart(2, '0'));
  const four = hexadecimal.join('').toUpperCase();
  const mapped = `0000000000000000FFFF0000${four}`;
  return host === 'localhost' ? [four, mapped, six] : [four, mapped];
}

/**
 * Finds connections of processes to ports of this machine. Linux walks its whole table of sockets for it, which takes some 12 ms of
 * CPU time whatever is in it: one walk answers for all callers.
 * @returns the first; null: none of them is connected to any
 */
export function findConnection<T>(
  callers: readonly { of: T; processes: readonly { pid: number }[]; ports: readonly number[] }[],
): { of: T; port: number } | null {
  const established = socketsIn('01').filter(({ remote }) => isLocal(remote.address)); // TCP_ESTABLISHED
  for (const { of, processes, ports } of callers) {
    const there = established.filter(({ remote }) => ports.includes(remote.port));
    if (there.length === 0) continue;
    const own = new Set(processes.flatMap(({ pid }) => openFiles(pid)));
    const found = there.find(({ socket }) => own.has(socket));
    if (found) return { of, port: found.remote.port };
  }
  return null;
}

/** Those of some processes that listen on a TCP port, by one walk of the table. */
export function listenersAmong<T extends { pid: number }>(processes: readonly T[]): T[] {
  const sockets = new Set(listening().map(({ socket }) => socket));
  return processes.filter(({ pid }) => openFiles(pid).some((file) => sockets.has(file)));
}

/** 127.0.0.0/8 and ::1, as /proc/net/tcp writes them. */
const isLocal = (address: string) =>
  /^(0{16}FFFF0000)?.{6}7F$/.test(address) || address === '00000000000000000000000001000000';

/** @returns the TCP sockets that listen, as /proc/<pid>/fd names them */
const listening = (): { address: string; port: number; socket: string }[] =>
  socketsIn('0A').map(({ local, socket }) => ({ ...local, socket })); // TCP_LISTEN

const socketsIn = (state: string) =>
  ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) =>
      (readOrNull(table) ?? '')
        .split('\n')
        .slice(1)
        .filter((line) => line.includes(` ${state} `)) // of thousands that wait for their end none is taken apart
        .map((line) => line.trim().split(/\s+/)),
    )
    .filter((fields) => fields[3] === state)
    .map((fields) => ({ local: endOf(fields[1]), remote: endOf(fields[2]), socket: `socket:[${fields[9]}]` }));

/** @param text "0100007F:1F90" */
function endOf(text: string) {
  const [address, port] = text.split(':');
  return { address, port: parseInt(port, 16) };
}

/** @returns what it has open */
const openFiles = (pid: number): string[] =>
  namesIn(`/proc/${pid}/fd`).map((name) => linkOrEmpty(`/proc/${pid}/fd/${name}`));

/** @returns two words say who it is; those after them may be a password */
const commandLine = (pid: number): string | null =>
  readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, 2).join(' ').trim() || null;
