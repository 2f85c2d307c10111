import type { Case } from '../../cases/expand.js';
import type { Lint, LintContext } from './lints.js';

/** What a process has open besides the connections of users: files, logs, pipes. */
const margin = 100;

/** Each user has a connection, which is an open file of the k6 process that it is in, and of the service that takes it. */
export function lintOpenFiles(benchCase: Case, { openFiles }: LintContext): Lint[] {
  const users = Math.ceil(benchCase.load.users / benchCase.instances);
  if (openFiles === null || users + margin <= openFiles) return [];
  const key = ['maxVUs', 'preAllocatedVUs', 'vus', 'stages'].find((name) => name in benchCase.k6) ?? 'executor';
  return [
    {
      path: ['scenarios', benchCase.scenario, key],
      message:
        `${users} users are as many connections, and a process may have ${openFiles} open files: ` +
        'connecting would fail',
      hint: `Allow more before the run (ulimit -n ${users + margin} or more), or share the load out to several k6 processes (instances).`,
      weight: users,
    },
  ];
}
