/**
 * The first of each kind.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => unknown} keyOf
 * @returns {T[]}
 */
export function uniqueBy(items, keyOf) {
  const firsts = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!firsts.has(key)) firsts.set(key, item);
  }
  return [...firsts.values()];
}
