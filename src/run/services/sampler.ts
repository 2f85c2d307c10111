import { closeSync, openSync, writeSync } from 'node:fs';
import { fileError } from '../../base/io/files.js';
import { cgroupMeter, pidsIn } from '../../base/process/cgroup.js';
import type { Running } from '../../base/process/command.js';
import { compilersMeter } from '../../base/process/compiler-threads.js';
import { allProcesses, followFamilies } from '../../base/process/process-tree.js';
import { type Process, pids, readOrNull } from '../../base/process/processes.js';
import { descriptorsOf, endedChildren_ns, machineUsage, networkMeter, usageMeter } from '../../base/process/usage.js';
import type { RunningContainer } from './containers/start-container.js';
import { type OtherProgram, otherPrograms } from './other-programs.js';
import type { RunningService } from './service.js';

const period_ms = 1000;

/** A service, whose process may be another one at each look. */
type Watched = Pick<RunningService, 'name' | 'sampled' | 'wanted' | 'published'> & {
  running: Running | RunningContainer;
};

/**
 * Samples services once a second into an ndjson file, and at its start and end. Nothing is summed up here: CPU and
 * network are counters, and what lies between two lines is for whoever reads them.
 * @param file services.ndjson
 * @param services of those that are not sampled it says what CPU time they used together
 * @param besides what is ours and no part of the load: the machine is as if it did not run
 * @returns watch: sample k6 too, from now: all its processes together; stop: returns which other programs were the busiest
 * @throws {UserError} code 4: the file cannot be written; `stop` also throws what went wrong meanwhile
 */
export function startSampler(
  file: string,
  services: readonly Watched[],
  besides: readonly Running[] = [],
): { watch: (k6: Running[]) => void; stop: () => OtherProgram[] } {
  const lines = appender(file);
  const meters = new Map(
    services.map((service) => [
      service.name,
      {
        usage: usageMeter({ pss: service.sampled }),
        contained: cgroupMeter(),
        compilers: compilersMeter(),
        network: networkMeter(),
      },
    ]),
  );
  const k6Meter = usageMeter();
  const besidesMeter = usageMeter();
  let k6: Running[] = [];
  let before_ns = 0;
  const others = otherPrograms();
  let looks = 0;
  let table: Process[] = [];
  const readTable = () => {
    table = allProcesses();
    return table;
  };
  let look = followFamilies(services, readTable);
  const forwarders = forwarderMeter(services);

  const sample = (isLast = false) => {
    const t = Date.now();
    const families = look();
    const ours = [...families.values()].flat();
    const sampled: Record<string, object> = {};
    let unsampled_ns = forwarders();
    for (const service of services) {
      const container = 'container' in service.running ? service.running.container : null;
      const pids = container?.cgroup ? pidsIn(container.cgroup) : (families.get(service.name) ?? []);
      if (container?.cgroup) ours.push(...pids);
      const meter = meters.get(service.name) as NonNullable<ReturnType<typeof meters.get>>;
      const usage = container ? { ...meter.contained(container.cgroup), memory: 'working_set' } : meter.usage(pids);
      if (!service.sampled) {
        unsampled_ns = (unsampled_ns ?? 0) + usage.cpu_ns;
        continue;
      }
      sampled[service.name] = {
        ...usage,
        compilers_ns: meter.compilers(pids),
        descriptors: pids.reduce((total, pid) => total + descriptorsOf(pid), 0),
        processes: pids.length,
        ...meter.network(container?.pid ?? service.running.pid),
        alive: service.wanted ? service.running.exit === null : null, // null: by a fault, it should not be
      };
    }
    lines.append({
      t,
      services: sampled,
      ...(unsampled_ns !== null && { unsampled: { cpu_ns: unsampled_ns } }),
      k6: k6Usage(families),
      machine: machineBut(besidesMeter(besides.map(({ pid }) => pid))),
    });
    looks += 1;
    if (isLast || Number.isInteger(Math.log2(looks))) others.look(table, ours); // seldom enough to cost nothing
  };

  const machineBut = (used: { cpu_ns: number }) => {
    const machine = machineUsage();
    return { ...machine, cpu_ns: machine.cpu_ns - used.cpu_ns };
  };

  const k6Usage = (families: Map<string, number[]>) => {
    const usage = k6Meter(families.get('k6') ?? []);
    // Of our children, a service may end by a fault meanwhile; once k6 has, it is the only one since the sample before.
    if (k6.every(({ exit }) => exit === null)) before_ns = endedChildren_ns();
    if (k6.length === 0 || k6.some(({ exit }) => exit === null)) return usage;
    return { ...usage, cpu_ns: Math.max(usage.cpu_ns, endedChildren_ns() - before_ns) };
  };

  sample();
  let due = Date.now() + period_ms;
  let timer = setTimeout(tick, period_ms);
  function tick() {
    sample();
    due = Math.max(due + period_ms, Date.now()); // on the second, not a second after the last
    timer = setTimeout(tick, due - Date.now());
  }
  return {
    watch(processes) {
      k6 = processes;
      const commands = processes.map((running) => ({ name: running.name, running }));
      look = followFamilies([...services, ...commands], readTable);
    },
    stop() {
      clearTimeout(timer);
      sample(true);
      lines.close();
      return others.busiest();
    },
  };
}

/**
 * A meter of what an engine uses to forward connections to ports of this machine into containers (docker-proxy): it is
 * neither the service nor another program.
 * @returns nanoseconds of CPU time; null: no service is a container
 */
function forwarderMeter(services: readonly Watched[]): () => number | null {
  const ports = services.flatMap(({ published }) => published);
  if (ports.length === 0) return () => null;
  const meter = usageMeter();
  const isForwarder = (pid: number) => {
    const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
    const port = Number(words[words.indexOf('-host-port') + 1]);
    return words[0].endsWith('docker-proxy') && ports.includes(port);
  };
  let known: number[] = [];
  return () => {
    known = known.filter(isForwarder);
    if (known.length < ports.length) known = pids().filter(isForwarder); // a fault has another one
    return meter(known).cpu_ns;
  };
}

/** Lines of JSON at the end of a file. The first error is kept for `close`: it must not be thrown in a timer. */
function appender(file: string) {
  let fd = -1;
  let failed: unknown = null;
  const guarded = (write: () => void) => {
    try {
      if (!failed) write();
    } catch (cause) {
      failed = fileError(cause, file);
    }
  };
  guarded(() => (fd = openSync(file, 'a')));
  if (failed) throw failed;
  return {
    append: (value: unknown) =>
      guarded(() => {
        const line = Buffer.from(`${JSON.stringify(value)}\n`);
        if (writeSync(fd, line) < line.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      }),
    close() {
      closeSync(fd);
      if (failed) throw failed;
    },
  };
}
