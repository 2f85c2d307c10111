import { attempt } from './attempt.js';
import { parseDuration, showDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isUnfilled } from './placeholders.js';
import { limits } from './tables.js';
import type { TomlTable } from './toml.js';

/** What goes wrong during the load. */
export type PlannedFault = {
  service: string;
  action: 'stop' | 'kill' | 'pause';
  /** from the start of the load */
  at_s: number;
  for_s: number;
  /** by when after its end the system must have recovered */
  recover_within_s: number;
};

/**
 * @param given duration: of the load, in seconds
 * @returns in the order of their times
 */
export function readFaults(
  written: TomlTable[],
  {
    services,
    environment,
    duration,
    window,
  }: {
    services: { name: string }[];
    environment: string;
    duration: number | null;
    window: { from_s: number; to_s: number | null };
  },
  path: Path,
  report: Report,
): PlannedFault[] {
  if (!written.length) return [];
  if (duration === null) {
    report(
      path,
      'faults need a load that lasts: this one ends when its iterations are done',
      'Use an executor with a duration or stages.',
      'key',
    );
    return [];
  }
  const timed = written.map((fault, i) => ({
    service: fault.service,
    action: fault.action,
    ...timesOf(fault, [...path, i], report),
    i,
  }));
  const known = timed.filter(({ service, i }) =>
    isService(service, services, environment, [...path, i, 'service'], report),
  );
  const sorted = known.sort((a, b) => a.at_s - b.at_s);
  for (const [n, fault] of sorted.entries()) refuseTimes(fault, sorted[n - 1], duration, [...path, fault.i], report);
  refuseAll(sorted, window, path, report);
  return sorted.map(({ service, action, at_s, for_s, recover_within_s }) => ({
    service,
    action,
    at_s,
    for_s,
    recover_within_s,
  }));
}

type Times = { at_s: number; for_s: number; recover_within_s: number };

function timesOf(fault: TomlTable, path: Path, report: Report): Times {
  const read = (key: string, text: string) =>
    (isUnfilled(text) ? 0 : attempt(() => parseDuration(text), [...path, key], report)) ?? 0;
  const { at, recover_within = '5s' } = fault;
  const times = {
    at_s: read('at', at),
    for_s: read('for', fault.for),
    recover_within_s: read('recover_within', recover_within),
  };
  if (times.for_s <= 0 && !isUnfilled(fault.for)) report([...path, 'for'], 'a fault lasts for some time');
  return times;
}

const endOf = ({ at_s, for_s, recover_within_s }: Times) => Number((at_s + for_s + recover_within_s).toPrecision(12));

function isService(service: string, services: { name: string }[], environment: string, path: Path, report: Report) {
  const known = services.map(({ name }) => name);
  if (isUnfilled(service) || known.includes(service)) return true;
  if (known.length) {
    report(path, `the environment "${environment}" has no service "${service}"`, { got: service, known });
  } else {
    report(
      path,
      `the environment "${environment}" starts no service to which a fault could happen`,
      'Say where the scenario runs: environments = ["…"].',
    );
  }
  return false;
}

function refuseTimes(fault: Times, before: Times | undefined, duration: number, path: Path, report: Report) {
  const end = endOf(fault);
  if (end > duration) {
    const [over, all] = [fault.at_s + fault.for_s, showDuration(duration)];
    report(
      [...path, 'at'],
      over > duration
        ? `the fault is over at ${showDuration(over)}, after the load (${all})`
        : `the fault may have effects until ${showDuration(end)}, and the load ends at ${all}`,
      'All of it, with `recover_within`, must be during the load: let it begin sooner, or be shorter.',
    );
  }
  if (before && fault.at_s < endOf(before)) {
    report(
      [...path, 'at'],
      `the fault begins at ${showDuration(fault.at_s)}, ` +
        `and the one before may have effects until ${showDuration(endOf(before))}`,
      'Leave time between them.',
    );
  }
}

/** Something must be left to measure. */
function refuseAll(
  faults: Times[],
  { from_s, to_s }: { from_s: number; to_s: number | null },
  path: Path,
  report: Report,
) {
  const steady = steadyTime(faults, { from_s, to_s: Number(to_s) });
  if (steady > 0) return;
  report(
    path,
    'faults leave nothing of the window: the time around a fault is measured by itself',
    'Make the load longer, or the faults shorter.',
    'key',
  );
}

/**
 * How much of a window is outside of faults.
 * @param faults not overlapping
 * @returns seconds
 */
export function steadyTime(faults: Times[], { from_s, to_s }: { from_s: number; to_s: number }): number {
  const within = faults.map((fault) =>
    Math.max(0, Math.min(to_s, endOf(fault)) - Math.max(from_s, fault.at_s - limits.fault_lead_s)),
  );
  return to_s - from_s - within.reduce((sum, seconds) => sum + seconds, 0);
}
