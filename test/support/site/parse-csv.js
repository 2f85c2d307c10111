/**
 * Reads CSV after RFC 4180, to see that ours is.
 * @param {string} text
 * @returns {Record<string, string>[]} the rows by the names in the first
 */
export function parseCsv(text) {
  const cells = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g;
  const rows = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => [...line.matchAll(cells)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
  const [head, ...rest] = rows;
  return rest.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}
