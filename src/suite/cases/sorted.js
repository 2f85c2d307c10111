/**
 * The same value, the keys of its tables in order at any depth: equal values have equal JSON then, whatever wrote them (gojq
 * sorts keys, jq does not).
 * @template T
 * @param {T} value of JSON
 * @returns {T}
 */
export function sorted(value) {
  if (value === null || typeof value !== 'object') return value;
  const inOrder = Array.isArray(value)
    ? value.map(sorted)
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      );
  return /** @type {T} */ (inOrder);
}
