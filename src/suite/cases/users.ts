import type { Path, Report } from './error.js';
import { constantUsers, type K6Options, type Load } from './executors.js';

/** Each user has counters of its own in k6. */
const most = 100;

/** Refuses to tell users apart where k6 has too many, or takes any that is free. */
export function refusePerUser(k6: K6Options, load: Load, path: Path, report: Report) {
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
