import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Data } from './draw.js';

/**
 * Writes a picture and the data it was drawn of, each by a rename and the picture last: where it is, both are whole, also
 * when another build draws the same.
 * @param data JSON
 */
export function keepPicture(folder: string, name: string, svg: string, data: string) {
  for (const [file, text] of [
    [`${name}.json`, data],
    [`${name}.svg`, svg],
  ]) {
    const part = join(folder, `${file}.${process.pid}`);
    writeFileSync(part, text);
    renameSync(part, join(folder, file));
  }
}

/** The data of a picture as it is put into a `<script>`. */
export const textOf = (data: Data) => JSON.stringify(data).replaceAll('<', '\\u003c');
