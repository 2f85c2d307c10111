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
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => inodesOf(table, port));
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return null;
  for (const pid of pids()) {
    const folder = `/proc/${pid}/fd`;
    if (!namesIn(folder).some((name) => sockets.has(linkOrEmpty(`${folder}/${name}`)))) continue;
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
 * @param {string} table
 * @param {number} port
 * @returns {string[]} inodes of the sockets that listen
 */
function inodesOf(table, port) {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return (readOrNull(table) ?? '').split('\n').slice(1).map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === '0A') // 0A: TCP_LISTEN
    .map((fields) => fields[9]);
}

/** @param {number} pid @returns {string | null} two words say who it is; those after them may be a password */
const commandLine = (pid) => readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, 2).join(' ').trim() || null;
