/**
 * Some file systems take names that differ in capitals for one: of pages that would be one file the first stays.
 * @param placesOf addresses that it takes, its page's first
 * @param refuse gets what is left out
 */
export function withoutCollisions<T>(
  items: T[],
  placesOf: (item: T) => string[],
  refuse: (item: T, message: string) => void,
): T[] {
  const known: Map<string, string> = new Map();
  return items.filter((item) => {
    const places = placesOf(item);
    const other = places.map((path) => known.get(path.toLowerCase()) ?? path).find((path, i) => path !== places[i]);
    if (other === undefined) for (const page of places) known.set(page.toLowerCase(), page);
    else refuse(item, `its page would be that of ${other}, which differs in capitals only`);
    return other === undefined;
  });
}
