/** The first of each kind. */
export function uniqueBy<T>(items: T[], keyOf: (item: T) => unknown): T[] {
  const firsts = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!firsts.has(key)) firsts.set(key, item);
  }
  return [...firsts.values()];
}
