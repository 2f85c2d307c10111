import { hasMarker, pids, readProcess } from './processes.js';

/**
 * Follows which processes belong to each of several commands, looking only at those that are new: a look at a machine
 * with a thousand others costs one listing of /proc. Who belonged once, belongs until it ends.
 * @param {readonly { name: string, running: import('./command.js').Running }[]} commands whose process may be another one
 *   at each look
 * @returns {() => Map<string, number[]>} a look: the pids by the command's name
 */
export function followFamilies(commands) {
  /** @type {Map<number, string | null>} pid: the name of its command, null for a stranger */
  const known = new Map();
  const since = Math.min(...commands.map(({ running }) => running.start));
  /** @param {number} pid @returns {string | null} */
  const nameOf = (pid) => {
    const found = readProcess(pid);
    if (!found || found.start < since) return null;
    const command = commands.find(
      ({ running }) => running.pid === pid || running.pid === found.session || hasMarker(pid, running.marker),
    );
    return command?.name ?? known.get(found.ppid) ?? null;
  };
  return () => {
    const present = new Set(pids());
    for (const pid of known.keys()) if (!present.has(pid)) known.delete(pid);
    for (const pid of present) if (!known.has(pid)) known.set(pid, nameOf(pid));
    /** @type {Map<string, number[]>} */
    const families = new Map(commands.map(({ name }) => [name, []]));
    for (const [pid, whose] of known) if (whose !== null) families.get(whose)?.push(pid);
    return families;
  };
}
