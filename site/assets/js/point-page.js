/**
 * The page that a point of a chart leads to: `to` of its row, with the row's own fields put in.
 * @param {any} item of Vega's scene; where the nearest point is looked for, it is about that point
 * @returns {string | null} relative to the site's root; null: it leads nowhere
 */
export function pageOf(item) {
  const row = item?.datum?.datum ?? item?.datum;
  if (typeof row?.to !== 'string') return null;
  const fields = [...row.to.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(row[name] ?? ''));
  // The last run and the first commit have no page by that name.
  if (fields.some((field) => field === '' || field.includes(' '))) return null;
  const queue = fields.values();
  return `${row.to.replace(/\{\w+\}/g, () => queue.next().value ?? '')}.html`
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
