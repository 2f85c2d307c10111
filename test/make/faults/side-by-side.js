/** As many as a small machine has cores: most of the time is spent waiting. */
const workers = 3;

/**
 * Does work for each item, some at once; each worker has something of its own.
 * @template Item, Own
 * @param {readonly Item[]} items
 * @param {() => Promise<Own>} begin makes what a worker has
 * @param {(item: Item, own: Own, index: number) => Promise<void>} work
 */
export async function sideBySide(items, begin, work) {
  const left = [...items.entries()];
  await Promise.all(
    Array.from({ length: Math.min(workers, items.length) }, async () => {
      const own = await begin();
      for (let next = left.shift(); next; next = left.shift()) await work(next[1], own, next[0]);
    }),
  );
}
