import { hasMarker, pids, readProcess } from './processes.js';

/** @import { Running } from './command.js' */
/** @import { Process } from './processes.js' */

/**
 * Follows which processes belong to each of several commands. A process belongs by its session, by the marker in its
 * environment, or by its parent, whichever of the two was seen first: after the machine's process numbers have begun anew a
 * child's number is lower than its parent's. Who belonged once, belongs until it ends; whoever gets its number then is
 * another process.
 * @param {readonly { name: string, running: Running }[]} commands whose process may be another one
 *   at each look
 * @param {() => Process[]} [table] the processes of the machine
 * @returns {() => Map<string, number[]>} a look: the pids by the command's name
 */
export function followFamilies(commands, table = allProcesses) {
  /** @type {Map<string, string>} a process by pid and start: the name of its command */
  let members = new Map();
  const since = Math.min(...commands.map(({ running }) => running.start));
  /** @param {Process} found */
  const nameOf = ({ pid, session }) =>
    commands.find(({ running }) => running.pid === pid || running.pid === session || hasMarker(pid, running.marker))
      ?.name;

  return () => {
    const young = table().filter(({ start }) => start >= since);
    /** @type {Map<number, string>} */
    const names = new Map();
    for (const found of young) {
      const name = members.get(idOf(found)) ?? nameOf(found);
      if (name !== undefined) names.set(found.pid, name);
    }
    for (let grown = -1; grown !== names.size; ) {
      grown = names.size;
      for (const { pid, ppid } of young) {
        const name = names.get(ppid);
        if (name !== undefined && !names.has(pid)) names.set(pid, name);
      }
    }
    members = new Map(young.flatMap((found) => entryOf(found, names.get(found.pid))));
    /** @type {Map<string, number[]>} */
    const families = new Map(commands.map(({ name }) => [name, []]));
    for (const [pid, name] of names) families.get(name)?.push(pid);
    return families;
  };
}

/** @param {Process} found */
const idOf = ({ pid, start }) => `${pid} ${start}`;

/** @param {Process} found @param {string | undefined} name @returns {[string, string][]} */
const entryOf = (found, name) => (name === undefined ? [] : [[idOf(found), name]]);

/** @returns {Process[]} the processes of the machine */
export const allProcesses = () =>
  pids()
    .map(readProcess)
    .filter((found) => found !== null);
