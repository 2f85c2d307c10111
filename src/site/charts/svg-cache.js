import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a picture and the data it was drawn of. The picture comes last and by a rename: where it is, both are whole.
 * @param {string} folder
 * @param {string} name
 * @param {string} svg
 * @param {string} data JSON
 */
export function keepPicture(folder, name, svg, data) {
  writeFileSync(join(folder, `${name}.json`), data);
  const part = join(folder, `${name}.svg.${process.pid}`);
  writeFileSync(part, svg);
  renameSync(part, join(folder, `${name}.svg`));
}
