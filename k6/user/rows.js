import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

/**
 * @import { PlannedLoad } from '../plan/index.js'
 * @typedef {typeof import('../plan/rows.js')} PlanRows
 * @import { DataRow } from '../plan/rows.js'
 */

/**
 * The rows of a scenario, read once for all users.
 * @param {PlannedLoad} load with rows
 * @returns {() => () => DataRow} to be called by a user that runs, for a function that gives each iteration its row
 */
export function openRows(load) {
  const rows = new SharedArray('rows', () => {
    const { planRows } = /** @type {PlanRows} */ (require('../plan/rows.js'));
    return planRows(load);
  });
  const count = rows.length; // an array shared by users is slow to ask
  const first = Math.floor(load.rowsFrom * count);
  switch (/** @type {NonNullable<PlannedLoad['rows']>} */ (load.rows).order) {
    case 'random':
      return () => () => rows[Math.floor(Math.random() * count)];
    case 'user':
      return () => {
        const own = rows[(exec.vu.idInTest - 1) % count];
        return () => own;
      };
    case 'shared':
      return () => {
        const { scenario } = exec; // k6 makes it anew at each access: 8 µs
        return () => rows[(first + scenario.iterationInTest) % count];
      };
  }
}
