import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

/** @import { Rows } from '../../dist/suite/cases/rows.js' */
/** @import { PlannedLoad } from '../plan/make-plan.js' */
/** @import { DataRow } from '../plan/rows.js' */

/**
 * @typedef {typeof import('../plan/rows.js')} PlanRows
 */

/**
 * The rows of a scenario, read once for all users.
 * @param {PlannedLoad} load with rows
 * @returns {() => () => DataRow} to be called by a user that runs, for a function that gives each iteration its row, with the
 *   columns of all files
 */
export function openRows(load) {
  /** @type {DataRow[][] | null} */
  let tables = null;
  const read = () => {
    const { planRows } = /** @type {PlanRows} */ (require('../plan/rows.js'));
    tables ??= planRows(load);
    return tables;
  };
  const opened = load.rows.map((file, i) => openFile(file, new SharedArray(`rows ${i}`, () => read()[i]), load));
  if (opened.length === 1) return opened[0];
  return () => {
    const all = opened.map((open) => open());
    return () => Object.assign({}, ...all.map((next) => next()));
  };
}

/**
 * @param {Rows} file
 * @param {DataRow[]} rows
 * @param {PlannedLoad} load
 * @returns {() => () => DataRow}
 */
function openFile({ order }, rows, load) {
  const count = rows.length; // an array shared by users is slow to ask
  // The last row, which the load takes last: some rows can be used only once.
  if (load.smoke) return () => () => rows[count - 1];
  const first = Math.floor(load.rowsFrom * count);
  switch (order) {
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
