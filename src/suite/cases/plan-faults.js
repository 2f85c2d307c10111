import { attempt } from './attempt.js';
import { parseDuration, showDuration } from './durations.js';
import { isUnfilled } from './placeholders.js';
import { limits } from './tables.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} PlannedFault what goes wrong during the load
 * @property {string} service
 * @property {'stop' | 'kill' | 'pause'} action
 * @property {number} at_s from the start of the load
 * @property {number} for_s
 * @property {number} recover_within_s by when after its end the system must have recovered
 */

/**
 * @param {TomlTable[]} written
 * @param {{ services: { name: string }[], environment: string, duration: number | null,
 *   window: { from_s: number, to_s: number | null } }} given duration: of the load, in seconds
 * @param {Path} path
 * @param {Report} report
 * @returns {PlannedFault[]} in the order of their times
 */
export function readFaults(written, { services, environment, duration, window }, path, report) {
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

/** @typedef {{ at_s: number, for_s: number, recover_within_s: number }} Times */

/** @param {TomlTable} fault @param {Path} path @param {Report} report @returns {Times} */
function timesOf(fault, path, report) {
  const read = (/** @type {string} */ key, /** @type {string} */ text) =>
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

/** @param {Times} fault */
const endOf = ({ at_s, for_s, recover_within_s }) => Number((at_s + for_s + recover_within_s).toPrecision(12));

/**
 * @param {string} service
 * @param {{ name: string }[]} services
 * @param {string} environment
 * @param {Path} path
 * @param {Report} report
 */
function isService(service, services, environment, path, report) {
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

/**
 * @param {Times} fault
 * @param {Times | undefined} before
 * @param {number} duration
 * @param {Path} path
 * @param {Report} report
 */
function refuseTimes(fault, before, duration, path, report) {
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

/**
 * Something must be left to measure.
 * @param {Times[]} faults
 * @param {{ from_s: number, to_s: number | null }} window
 * @param {Path} path
 * @param {Report} report
 */
function refuseAll(faults, { from_s, to_s }, path, report) {
  const steady = steadyTime(faults, { from_s, to_s: Number(to_s) });
  if (steady > 0) return;
  report(
    path,
    'faults leave nothing of the window: what is around a fault is measured by itself',
    'Make the load longer, or the faults shorter.',
    'key',
  );
}

/**
 * How much of a window is outside of faults.
 * @param {Times[]} faults not overlapping
 * @param {{ from_s: number, to_s: number }} window
 * @returns {number} seconds
 */
export function steadyTime(faults, { from_s, to_s }) {
  const within = faults.map((fault) =>
    Math.max(0, Math.min(to_s, endOf(fault)) - Math.max(from_s, fault.at_s - limits.fault_lead_s)),
  );
  return to_s - from_s - within.reduce((sum, seconds) => sum + seconds, 0);
}
