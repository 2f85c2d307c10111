/**
 * The same value, the keys of its tables in order at any depth: equal values have equal JSON then, whatever wrote them (gojq
 * sorts keys, jq does not).
 * @param value of JSON
 */
export function sorted<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  const inOrder = Array.isArray(value)
    ? value.map(sorted)
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      );
  return inOrder as T;
}
