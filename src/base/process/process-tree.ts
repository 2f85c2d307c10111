import type { Running } from './command.js';
import { hasMarker, type Process, pids, readProcess } from './processes.js';

/**
 * Follows which processes belong to each of several commands. A process belongs by its session, by the marker in its
 * environment, or by its parent, whichever of the two was seen first: after the machine's process numbers have begun anew a
 * child's number is lower than its parent's. Who belonged once, belongs until it ends; whoever gets its number then is
 * another process.
 * @param commands whose process may be another one at each look
 * @param table the processes of the machine
 * @returns a look: the pids by the command's name
 */
export function followFamilies(
  commands: readonly { name: string; running: Running }[],
  table: () => Process[] = allProcesses,
): () => Map<string, number[]> {
  /** a process by pid and start: the name of its command */
  let members: Map<string, string> = new Map();
  const since = Math.min(...commands.map(({ running }) => running.start));
  const nameOf = ({ pid, session }: Process) =>
    commands.find(({ running }) => running.pid === pid || running.pid === session || hasMarker(pid, running.marker))
      ?.name;

  return () => {
    const young = table().filter(({ start }) => start >= since);
    const names: Map<number, string> = new Map();
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
    const families: Map<string, number[]> = new Map(commands.map(({ name }) => [name, []]));
    for (const [pid, name] of names) families.get(name)?.push(pid);
    return families;
  };
}

const idOf = ({ pid, start }: Process) => `${pid} ${start}`;

const entryOf = (found: Process, name: string | undefined): [string, string][] =>
  name === undefined ? [] : [[idOf(found), name]];

/** @returns the processes of the machine */
export const allProcesses = (): Process[] =>
  pids()
    .map(readProcess)
    .filter((found) => found !== null);
