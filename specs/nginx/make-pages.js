// Writes the static pages into a folder: node make-pages.js <folder>
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of each page. kB is 1,000 bytes. */
const pages = { '500B': 500, '10kB': 10_000, '100kB': 100_000 };

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const [name, bytes] of Object.entries(pages)) writeFileSync(join(folder, name), text(bytes));

/**
 * The same text every time, in lines of 64.
 * @param {number} length
 * @returns {string}
 */
function text(length) {
  const line = `${'abcdefghijklmnopqrstuvwxyz0123456789 '.repeat(2).slice(0, 63)}\n`;
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}
