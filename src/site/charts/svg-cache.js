import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { Data } from './draw.js' */

/**
 * Writes a picture and the data it was drawn of, each by a rename and the picture last: where it is, both are whole, also
 * when another build draws the same.
 * @param {string} folder
 * @param {string} name
 * @param {string} svg
 * @param {string} data JSON
 */
export function keepPicture(folder, name, svg, data) {
  for (const [file, text] of [
    [`${name}.json`, data],
    [`${name}.svg`, svg],
  ]) {
    const part = join(folder, `${file}.${process.pid}`);
    writeFileSync(part, text);
    renameSync(part, join(folder, file));
  }
}

/** The data of a picture as it is put into a `<script>`. @param {Data} data */
export const textOf = (data) => JSON.stringify(data).replaceAll('<', '\\u003c');
