import { formatAs, formatCount, inColumn, printOf } from '../../base/format.js';

/** @import { Metric } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Print } from '../../base/format.js' */

/**
 * @typedef {{ count?: number, share?: number | null, metrics: Record<string, Metric> }} Part a request, a
 *   group of requests or a service
 */

/**
 * A table of the requests, groups or services of a record: a row each, a column for each metric that one of them has.
 * @param {string} title
 * @param {string} of what a row is
 * @param {Record<string, Part>} parts by name
 * @param {MetricNames} names
 */
export function partTable(title, of, parts, names) {
  const all = Object.entries(parts);
  if (!all.length) return null;
  const metrics = [...new Set(all.flatMap(([, part]) => Object.keys(part.metrics)))].sort(
    (a, b) => names.orderOf(a) - names.orderOf(b),
  );
  const columns = metrics.map((name) => {
    const found = all.map(([, part]) => part.metrics[name]).filter(Boolean);
    const values = found.filter(({ valid }) => valid).map(({ value }) => value);
    return { name, print: inColumn(names.printOf(name, found[0].unit, values), values) };
  });
  const shares = all.map(([, part]) => part.share ?? null);
  const share = inColumn(printOf('ratio'), shares);
  const [counted, shared] = [all.some(([, part]) => part.count !== undefined), shares.some((share) => share !== null)];
  return {
    title,
    columns: [
      { title: of },
      ...(counted ? [{ title: 'count' }] : []),
      ...(shared ? [{ title: 'share', unit: share.unit }] : []),
      ...columns.map(({ name, print }) => ({ title: names.titleOf(name), unit: print.unit })),
    ],
    rows: all.map(([name, part]) => ({
      name,
      cells: [
        ...(counted ? [formatCount(part.count ?? 0)] : []),
        ...(shared ? [formatAs(part.share ?? null, share)] : []),
        ...columns.map((column) => cellOf(part.metrics[column.name], column.print)),
      ],
    })),
  };
}

/**
 * @param {Metric | undefined} metric
 * @param {Print} print
 */
const cellOf = (metric, print) => (metric?.valid === false ? '⊘' : formatAs(metric?.value ?? null, print));
