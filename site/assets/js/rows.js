/**
 * Charts' data travels in columns, which is a third of the size of rows. A dataset is a list of column sets; a value
 * that is not a list is repeated in every row of its set. Used when the site is built and in the browser alike.
 *
 * `[{ who: 'app', t: [0, 1] }]` => `[{ who: 'app', t: 0 }, { who: 'app', t: 1 }]`
 * @param {Record<string, any>[]} sets
 * @returns {Record<string, any>[]}
 */
export function rowsOf(sets) {
  return sets.flatMap((columns) => {
    const entries = Object.entries(columns);
    const length = entries.find(([, values]) => Array.isArray(values))?.[1].length ?? 1;
    return Array.from({ length }, (_, i) =>
      Object.fromEntries(entries.map(([name, values]) => [name, Array.isArray(values) ? values[i] : values])),
    );
  });
}
