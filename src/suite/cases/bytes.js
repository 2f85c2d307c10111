/** Bytes in each unit: kB is 1,000 and KiB 1,024, as the standards have it. */
const units = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/**
 * Reads an amount of bytes.
 * @param {string | number} text 10000, "10kB", "1.5 GiB"
 * @returns {number} whole bytes
 * @throws {RangeError} not an amount of bytes
 */
export function parseBytes(text) {
  const match = /^(\d+\.?\d*|\.\d+)\s*(B|kB|MB|GB|KiB|MiB|GiB)?$/.exec(String(text).trim());
  if (!match) throw new RangeError(`${JSON.stringify(text)} is not an amount of bytes like 10000, "10kB" or "2GiB"`);
  return Math.round(Number(match[1]) * units[/** @type {keyof typeof units} */ (match[2] ?? 'B')]);
}
