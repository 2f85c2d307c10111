import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { relative } from 'node:path';
import type { Run } from '../run-context.js';

/** Labels of all that we make in a cluster; by them it is found again. */
const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  run: 'benchfolio.dev/run',
  origin: 'benchfolio.dev/origin',
};

/** @returns letters and digits that stand for it */
const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Where a run is: two machines may have runs of one name, and neither ends the other's.
 * @param bench the .bench folder
 */
const originOf = (bench: string) => hashOf(`${hostname()}\n${bench}`, 16);

/** @param of run: its id; bench: the .bench folder */
export const labelsOf = ({ run, bench }: { run: string; bench: string }): Record<string, string> => ({
  [labels.managedBy]: 'benchfolio',
  [labels.run]: run,
  [labels.origin]: originOf(bench),
});

/**
 * The name of a round's Job, and what names of its other objects begin with: short enough for those of its pods.
 * @param folder of the round
 */
export const jobNameOf = ({ id, folder: root }: Pick<Run, 'id' | 'folder'>, folder: string) =>
  `benchfolio-${hashOf(`${hostname()}\n${id}\n${relative(root, folder)}`, 12)}`;
