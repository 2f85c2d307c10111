import { usersOf } from '../../src/spec/load.js';

/** @import { Case } from '../../src/spec/index.js' */

/**
 * Works out who looks at how many answers: users share no count, so each of the first ones has a part.
 * @param {Pick<Case, 'k6'>} benchCase
 * @param {number} wanted of each request; 0: none
 * @returns {{ users: number, each: number } | null}
 */
export function planAnswers({ k6 }, wanted) {
  if (!(wanted > 0)) return null;
  const users = Math.min(wanted, usersOf(/** @type {any} */ (k6)));
  return { users, each: Math.ceil(wanted / users) };
}
