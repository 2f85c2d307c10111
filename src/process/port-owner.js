import { linkOrEmpty, namesIn, pids, readOrNull, readProcess } from './processes.js';

/**
 * Who listens on a port.
 * @typedef {{ pid: number, start: number, command: string }} PortOwner
 */

/**
 * Finds the process that listens on a TCP port, by the inode of its socket (proc(5): /proc/net/tcp, /proc/<pid>/fd).
 * @param {number} port
 * @returns {PortOwner | null} null: nobody listens, or it cannot be told (another user's process)
 */
export function portOwner(port) {
  const sockets = new Set(
    listening()
      .filter((one) => one.port === port)
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
 * @param {import('./command.js').Running} service
 * @returns {PortOwner | null}
 */
export function strangerOn(port, service) {
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

/** @returns {{ port: number, socket: string }[]} the TCP sockets that listen, as /proc/<pid>/fd names them */
const listening = () =>
  ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) =>
      (readOrNull(table) ?? '')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/)),
    )
    .filter(([, , , state]) => state === '0A') // TCP_LISTEN
    .map((fields) => ({ port: parseInt(fields[1].split(':')[1], 16), socket: `socket:[${fields[9]}]` }));

/** @param {number} pid @returns {string[]} what it has open */
const openFiles = (pid) => namesIn(`/proc/${pid}/fd`).map((name) => linkOrEmpty(`/proc/${pid}/fd/${name}`));

/** @param {number} pid @returns {string | null} two words say who it is; those after them may be a password */
const commandLine = (pid) => readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, 2).join(' ').trim() || null;
