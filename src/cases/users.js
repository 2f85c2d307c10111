import { usersOf } from './load.js';

/** @import { Path, Report } from './error.js' */
/** @import { K6Options } from './executors.js' */

/** Each user has counters of its own in k6. */
const most = 100;

/**
 * Refuses to tell users apart where k6 has too many, or takes any that is free.
 * @param {K6Options} k6
 * @param {Path} path
 * @param {Report} report
 */
export function refusePerUser(k6, path, report) {
  if (k6.executor.endsWith('arrival-rate')) {
    report(
      path,
      `${k6.executor} takes any user that is free: there is nothing to tell apart`,
      'Use an executor with a number of users, such as constant-vus.',
    );
  } else if (usersOf(k6) > most) {
    report(path, `${usersOf(k6)} users are too many to tell apart`, `At most ${most} are.`);
  }
}
