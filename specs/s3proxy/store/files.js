// What is in the bucket. The write-up makes its files with echo, touch and dd; its echo gives 39 bytes where it says
// 338, so here a file is what its size says.

/**
 * @typedef {object} File
 * @property {string} key
 * @property {number} bytes
 * @property {string} type
 * @property {boolean} [hidden] only the bucket's owner may read it
 */

/** The sizes of the write-up's files: the page, nothing, 1 MiB, 10 MiB. */
const sizes = [0, 338, 1048576, 10485760];

/** @type {File[]} */
export const files = [
  { key: 'index.html', bytes: 338, type: 'text/html' },
  { key: 'zerobytefile', bytes: 0, type: 'binary/octet-stream' },
  { key: 'test1m.tmp', bytes: 1048576, type: 'binary/octet-stream' },
  { key: 'large.bin', bytes: 10485760, type: 'application/octet-stream' },
  { key: 'unauthorized.html', bytes: 338, type: 'text/html', hidden: true },
  // by size: where a scenario sweeps it
  ...sizes.map((bytes) => ({ key: `by-size/${bytes}`, bytes, type: 'application/octet-stream' })),
];

/** @param {File} file @returns {Buffer} zeros, as dd makes them; a page with its text first */
export function contentOf({ bytes, type }) {
  const text = type === 'text/html' ? '<html><body>Hello World</body></html>\n' : '';
  return Buffer.alloc(bytes)
    .fill(text && ' ')
    .fill(text || 0, 0, Math.min(bytes, text.length));
}
