import type { Metric } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { formatAs, formatCount, inColumn, type Print, printOf } from '../../base/format.js';

/** A request, a group of requests or a service. */
type Part = { count?: number; share?: number | null; metrics: Record<string, Metric> };

/**
 * A table of the requests, groups or services of a record: a row each, a column for each metric that one of them has.
 * @param of the subject of a row
 * @param parts by name
 */
export function partTable(title: string, of: string, parts: Record<string, Part>, names: MetricNames) {
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

const cellOf = (metric: Metric | undefined, print: Print) =>
  metric?.valid === false ? '⊘' : formatAs(metric?.value ?? null, print);
