import { namesIn, readOrNull } from './processes.js';

/**
 * What runtimes call the threads that compile while a service runs, as the kernel has it, in 15 letters (proc_pid_comm(5)): HotSpot,
 * GraalVM, OpenJ9, .NET. V8 has no threads for that alone: its workers collect garbage too.
 */
const compilers = /^(C[12] CompilerThre|JVMCI CompilerT|JIT Compilation|\.NET Tiered Com)/;

/**
 * A meter of the CPU time of the threads that compile in a family of processes. It never falls, though such threads end.
 * @returns read now; nanoseconds since each began
 */
export function compilersMeter(): (pids: readonly number[]) => number {
  /** by the folder of the thread: nanoseconds */
  const used: Map<string, number> = new Map();
  return (pids) => {
    for (const pid of pids)
      for (const thread of namesIn(`/proc/${pid}/task`)) {
        const folder = `/proc/${pid}/task/${thread}`;
        // A thread gives itself its name: one that was just started has that of its process.
        if (!used.has(folder) && !compilers.test(readOrNull(`${folder}/comm`) ?? '')) continue;
        const text = readOrNull(`${folder}/schedstat`);
        if (text !== null) used.set(folder, parseInt(text, 10));
      }
    return [...used.values()].reduce((sum, ns) => sum + ns, 0);
  };
}
