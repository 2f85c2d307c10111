import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';

/** @import { Run } from '../run-context.js' */
/** @import { DuetSide } from './sides.js' */
/** @import { SideName } from './split.js' */

/**
 * The run as each side sees it.
 * @param {Record<SideName, DuetSide>} sides
 * @param {Run} run
 * @returns {Record<SideName, Run>}
 */
export const runsOf = ({ base, head }, run) => ({ base: runOf('base', base, run), head: runOf('head', head, run) });

/**
 * The run as one side sees it: its own files, and its own folder for what services write.
 * @param {SideName} name
 * @param {DuetSide} side
 * @param {Run} run
 * @returns {Run}
 */
const runOf = (name, { root }, run) => ({
  ...run,
  root,
  valuesOf: (benchCase, ports) => {
    const values = run.valuesOf(benchCase, ports);
    return { ...values, specDir: join(root, benchCase.spec_dir), runDir: makeFolder(join(values.runDir, name)) };
  },
});
