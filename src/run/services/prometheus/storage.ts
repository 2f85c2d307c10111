import { join } from 'node:path';
import { namesIn } from '../../../base/process/processes.js';

const prefix = 'prometheus-';

/**
 * Where a private Prometheus keeps its files, among those of the services.
 * @param scratch folder
 */
export const storageOf = (scratch: string, port: number) => join(scratch, `${prefix}${port}`);

/**
 * What private ones have left that were ended from outside.
 * @param scratch folder, may be missing
 */
export const storagesIn = (scratch: string) =>
  namesIn(scratch)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(scratch, name));
