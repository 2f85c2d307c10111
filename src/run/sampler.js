import { closeSync, openSync, writeSync } from 'node:fs';
import { followFamilies } from './family.js';
import { fileError } from './files.js';
import { descriptorsOf, endedChildren_ns, machineUsage, networkOf, usageMeter } from './usage.js';

const period_ms = 1000;

/**
 * Samples services once a second into an ndjson file, and at its start and end. Nothing is summed up here: CPU and
 * network are counters, and what lies between two lines is for whoever reads them.
 * @param {string} file services.ndjson
 * @param {import('./command.js').Running[]} services those to sample
 * @returns {{ watch: (k6: import('./command.js').Running) => void, stop: () => void }} watch: sample k6 too, from now
 * @throws {UserError} code 4: the file cannot be written; `stop` also throws what went wrong meanwhile
 */
export function startSampler(file, services) {
  const lines = appender(file);
  const meters = new Map(services.map((service) => [service.name, usageMeter()]));
  const k6Meter = usageMeter();
  /** @type {import('./command.js').Running | null} */
  let k6 = null;
  const before_ns = endedChildren_ns();
  let look = followFamilies(services);

  const sample = () => {
    const t = Date.now();
    const families = look();
    lines.append({
      t,
      services: Object.fromEntries(services.map((service) => {
        const pids = families.get(service.name) ?? [];
        const usage = /** @type {ReturnType<typeof usageMeter>} */ (meters.get(service.name))(pids);
        return [service.name, {
          ...usage,
          descriptors: pids.reduce((total, pid) => total + descriptorsOf(pid), 0),
          processes: pids.length,
          ...networkOf(service.pid),
          alive: service.exit === null,
        }];
      })),
      k6: k6Usage(families),
      machine: machineUsage(),
    });
  };

  /** @param {Map<string, number[]>} families */
  const k6Usage = (families) => {
    const usage = k6Meter(families.get('k6') ?? []);
    // Once it has ended, it is our only child that has since the first sample.
    return k6?.exit ? { ...usage, cpu_ns: Math.max(usage.cpu_ns, endedChildren_ns() - before_ns) } : usage;
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
    watch(process) {
      k6 = process;
      look = followFamilies([...services, process]);
    },
    stop() {
      clearTimeout(timer);
      sample();
      lines.close();
    },
  };
}

/**
 * Lines of JSON at the end of a file. The first error is kept for `close`: it must not be thrown in a timer.
 * @param {string} file
 */
function appender(file) {
  let fd = -1;
  /** @type {unknown} */
  let failed = null;
  const guarded = (/** @type {() => void} */ write) => {
    try {
      if (!failed) write();
    } catch (cause) {
      failed = fileError(cause, file);
    }
  };
  guarded(() => (fd = openSync(file, 'a')));
  if (failed) throw failed;
  return {
    append: (/** @type {unknown} */ value) => guarded(() => {
      const line = Buffer.from(`${JSON.stringify(value)}\n`);
      if (writeSync(fd, line) < line.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    }),
    close() {
      closeSync(fd);
      if (failed) throw failed;
    },
  };
}
