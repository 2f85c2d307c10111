/**
 * Some file systems take names that differ in capitals for one: of pages that would be one file the first stays.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string[]} placesOf addresses that it takes, its page's first
 * @param {(item: T, message: string) => void} refuse gets what is left out
 * @returns {T[]}
 */
export function withoutCollisions(items, placesOf, refuse) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return items.filter((item) => {
    const places = placesOf(item);
    const other = places
      .map((place) => known.get(place.toLowerCase()) ?? place)
      .find((place, i) => place !== places[i]);
    if (other === undefined) for (const place of places) known.set(place.toLowerCase(), place);
    else refuse(item, `its page would be that of ${other}, which differs in capitals only`);
    return other === undefined;
  });
}
