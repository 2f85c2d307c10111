import { constantUsers } from './executors.js';

/** @import { Path, Report } from './error.js' */
/** @import { K6Options, Load } from './executors.js' */

/** Each user has counters of its own in k6. */
const most = 100;

/**
 * Refuses to tell users apart where k6 has too many, or takes any that is free.
 * @param {K6Options} k6
 * @param {Load} load
 * @param {Path} path
 * @param {Report} report
 */
export function refusePerUser(k6, load, path, report) {
  if (load.kind === 'open') {
    report(
      path,
      `${k6.executor} takes any user that is free: there is nothing to tell apart`,
      `Use an executor with a number of users, such as ${constantUsers(1).executor}.`,
    );
  } else if (load.users > most) {
    report(path, `${load.users} users are too many to tell apart`, `At most ${most} are.`);
  }
}
