/** Bytes in each unit: kB is 1,000 and KiB 1,024, as the standards have it. */
const units = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/**
 * Reads an amount of bytes.
 * @param text 10000, "10kB", "1.5 GiB"
 * @returns whole bytes
 * @throws {RangeError} not an amount of bytes
 */
export function parseBytes(text: string | number): number {
  const match = /^(\d+\.?\d*|\.\d+)\s*(B|kB|MB|GB|KiB|MiB|GiB)?$/.exec(String(text).trim());
  if (!match) throw new RangeError(`${JSON.stringify(text)} is not an amount of bytes like 10000, "10kB" or "2GiB"`);
  return Math.round(Number(match[1]) * units[(match[2] ?? 'B') as keyof typeof units]);
}
