import { join } from 'node:path';
import { namesIn } from '../../../base/process/processes.js';

const prefix = 'prometheus-';

/**
 * Where a private Prometheus keeps its files, among those of the services.
 * @param {string} scratch folder
 * @param {number} port
 */
export const storageOf = (scratch, port) => join(scratch, `${prefix}${port}`);

/**
 * What private ones have left that were ended from outside.
 * @param {string} scratch folder, may be missing
 */
export const storagesIn = (scratch) =>
  namesIn(scratch)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(scratch, name));
