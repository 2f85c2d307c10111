import { linkOrEmpty, namesIn, pids, readOrNull, readProcess } from './processes.js';

/** @import { Running } from './command.js' */

/**
 * Who listens on a port.
 * @typedef {{ pid: number, start: number, command: string }} PortOwner
 */

/**
 * Finds the process that listens on a TCP port, by the inode of its socket (proc(5): /proc/net/tcp, /proc/<pid>/fd).
 * @param {number} port
 * @returns {PortOwner | null} null: no process listens, or it cannot be seen (another user's process)
 */
export function portOwner(port) {
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

/**
 * Who listens on a port that a service should have, when it is neither the service nor anything it started.
 * @param {number} port
 * @param {Running} service
 * @returns {PortOwner | null}
 */
export function unknownListenerOn(port, service) {
  const owner = portOwner(port);
  return owner && !service.processes().some(({ pid }) => pid === owner.pid) ? owner : null;
}

/**
 * The TCP ports that any of these processes listens on.
 * @param {{ pid: number }[]} processes
 * @returns {number[]} each once, in order
 */
export function portsOf(processes) {
  const files = new Set(processes.flatMap(({ pid }) => openFiles(pid)));
  const ports = listening()
    .filter(({ socket }) => files.has(socket))
    .map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Finds who answers at an address of this machine that is none of these processes.
 * @param {string} host an address of this machine, or localhost
 * @param {number} port
 * @param {{ pid: number }[]} processes
 * @returns {{ owner: PortOwner | null } | null} owner: null where it cannot be seen (another user's process); null: they
 *   listen there themselves, or none does
 */
export function unknownListenerAt(host, port, processes) {
  const sockets = answering(host, port);
  if (sockets.length === 0) return null;
  const own = new Set(processes.flatMap(({ pid }) => openFiles(pid)));
  return sockets.every((socket) => own.has(socket)) ? null : { owner: portOwner(port) };
}

/**
 * The sockets that take connections to an address: those bound to it, or else those bound to all addresses.
 * @param {string} host
 * @param {number} port
 */
function answering(host, port) {
  const at = listening().filter((listener) => listener.port === port);
  const bound = at.filter(({ address }) => addressesOf(host).includes(address));
  return (bound.length > 0 ? bound : at.filter(({ address }) => /^0+$/.test(address))).map(({ socket }) => socket);
}

/** As /proc/net/tcp writes them: words in the machine's byte order (little-endian). @param {string} host */
function addressesOf(host) {
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
 * @template T
 * @param {readonly { of: T, processes: readonly { pid: number }[], ports: readonly number[] }[]} callers
 * @returns {{ of: T, port: number } | null} the first; null: none of them is connected to any
 */
export function findConnection(callers) {
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

/**
 * Those of some processes that listen on a TCP port, by one walk of the table.
 * @template {{ pid: number }} T
 * @param {readonly T[]} processes
 * @returns {T[]}
 */
export function listenersAmong(processes) {
  const sockets = new Set(listening().map(({ socket }) => socket));
  return processes.filter(({ pid }) => openFiles(pid).some((file) => sockets.has(file)));
}

/** 127.0.0.0/8 and ::1, as /proc/net/tcp writes them. @param {string} address */
const isLocal = (address) => /^(0{16}FFFF0000)?.{6}7F$/.test(address) || address === '00000000000000000000000001000000';

/** @returns {{ address: string, port: number, socket: string }[]} the TCP sockets that listen, as /proc/<pid>/fd names them */
const listening = () => socketsIn('0A').map(({ local, socket }) => ({ ...local, socket })); // TCP_LISTEN

/** @param {string} state */
const socketsIn = (state) =>
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

/** @param {string} text "0100007F:1F90" */
function endOf(text) {
  const [address, port] = text.split(':');
  return { address, port: parseInt(port, 16) };
}

/** @param {number} pid @returns {string[]} what it has open */
const openFiles = (pid) => namesIn(`/proc/${pid}/fd`).map((name) => linkOrEmpty(`/proc/${pid}/fd/${name}`));

/** @param {number} pid @returns {string | null} two words say who it is; those after them may be a password */
const commandLine = (pid) => readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, 2).join(' ').trim() || null;
