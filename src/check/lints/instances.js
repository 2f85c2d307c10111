import { usersOf } from '../../spec/load.js';

/** @import { Case } from '../../spec/expand.js' */

/**
 * k6 divides users among its processes: there must be one for each.
 * @param {Case} item
 * @returns {import('./index.js').Lint[]}
 */
export function lintInstances(item) {
  const users = usersOf(item.k6);
  if (users >= item.instances) return [];
  return [
    {
      level: 'error',
      path: ['scenarios', item.scenario, 'instances'],
      message: `${item.instances} instances share ${users} user${users === 1 ? '' : 's'}: some would have none`,
      hint: `instances = ${users} at the most, or more users.`,
      weight: item.instances / users,
    },
  ];
}
