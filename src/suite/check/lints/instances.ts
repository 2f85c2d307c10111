import { counted } from '../../../base/format.js';
import type { Case } from '../../cases/expand.js';
import type { Lint } from './lints.js';

/** k6 divides users among its processes: there must be one for each. */
export function lintInstances(benchCase: Case): Lint[] {
  const users = benchCase.load.users;
  if (users >= benchCase.instances) return [];
  const pods = benchCase.generators !== null;
  return [
    {
      level: 'error',
      path: pods
        ? ['environments', benchCase.environment, 'generators', 'kubernetes', 'parallelism']
        : ['scenarios', benchCase.scenario, 'instances'],
      message: `${benchCase.instances} ${pods ? 'pods' : 'instances'} share ${counted(users, 'user')}: some would have none`,
      hint: `${pods ? 'parallelism' : 'instances'} = ${users} at the most, or more users.`,
      weight: benchCase.instances / users,
    },
  ];
}
