import { usersOf } from '../../src/cases/load.js';

/** @import { Case } from '../../src/cases/expand.js' */

/**
 * Works out who looks at how many answers: users share no count, so each of the first ones has a part.
 * @param {Pick<Case, 'k6'>} benchCase
 * @param {number} perRequest of each request; 0: none
 * @param {number} fields how many of them have their structure described
 * @returns {{ users: number, each: number, fields: number } | null}
 */
export function planAnswers({ k6 }, perRequest, fields) {
  if (!(perRequest > 0)) return null;
  const users = Math.min(perRequest, usersOf(/** @type {any} */ (k6)));
  return { users, each: Math.ceil(perRequest / users), fields };
}
