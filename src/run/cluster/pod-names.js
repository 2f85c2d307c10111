import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { relative } from 'node:path';

/** @import { Run } from '../run-context.js' */

/** Labels of all that we make in a cluster; by them it is found again. */
const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  run: 'benchfolio.dev/run',
  origin: 'benchfolio.dev/origin',
};

/** @param {string} text @param {number} length @returns {string} letters and digits that stand for it */
const hashOf = (text, length) => createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Where a run is: two machines may have runs of one name, and neither ends the other's.
 * @param {string} bench the .bench folder
 */
const originOf = (bench) => hashOf(`${hostname()}\n${bench}`, 16);

/**
 * @param {{ run: string, bench: string }} of run: its id; bench: the .bench folder
 * @returns {Record<string, string>}
 */
export const labelsOf = ({ run, bench }) => ({
  [labels.managedBy]: 'benchfolio',
  [labels.run]: run,
  [labels.origin]: originOf(bench),
});

/**
 * The name of a round's Job, and what names of its other objects begin with: short enough for those of its pods.
 * @param {Pick<Run, 'id' | 'folder'>} run
 * @param {string} folder of the round
 */
export const jobNameOf = ({ id, folder: root }, folder) =>
  `benchfolio-${hashOf(`${hostname()}\n${id}\n${relative(root, folder)}`, 12)}`;
