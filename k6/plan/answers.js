/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * Works out who looks at how many answers: users share no count, so each of the first ones has a part.
 * @param {Pick<Case, 'load'>} benchCase
 * @param {number} perRequest of each request; 0: none
 * @param {number} fields how many of them have their structure described
 * @returns {{ users: number, each: number, fields: number } | null}
 */
export function planAnswers({ load }, perRequest, fields) {
  if (!(perRequest > 0)) return null;
  const users = Math.min(perRequest, load.users);
  return { users, each: Math.ceil(perRequest / users), fields };
}
