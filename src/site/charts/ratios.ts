import type { ComparedMetric } from '../../../reports/schema/types.d.ts';
import { formatChangeInterval } from '../../base/format.js';
import { type Chart, rounded } from './chart.js';
import { columnsOf } from './points.js';

/** What is drawn of a metric. */
type Drawn = Pick<ComparedMetric, 'scale' | 'direction' | 'verdict' | 'tolerance' | 'ratio' | 'low' | 'high'>;

/** A metric of a comparison, as a row of a ratio plot: what it is called there. */
type Ratio = { label: string; metric: Drawn };

/** As everywhere beside a verdict: colour is never alone. */
const signs = new Map([
  ['worse', '✕'],
  ['better', '✓'],
  ['same', '='],
  ['unclear', '~'],
]);

/** What fits above its interval. */
const labelLetters = 62;

/** More rows are a table, not a picture. */
const mostRows = 30;

/**
 * How far head is from base, metric by metric: confidence intervals, sorted with the most worse first, and the tolerance as a band.
 * Ratios only: a difference of shares has another unit.
 * @param words confidence: "99 % CI"
 * @returns null: nothing has a confidence interval
 */
export function ratios(all: Ratio[], { title, confidence }: { title: string; confidence: string }): Chart | null {
  const drawable = all
    .flatMap(({ label, metric }) => {
      const change = turned(metric);
      return change ? [{ label: `${signs.get(metric.verdict)} ${label}`, metric, ...change }] : [];
    })
    .sort((a, b) => b.change - a.change);
  if (!drawable.length) return null;
  const left = Math.max(0, drawable.length - mostRows);
  // In the middle is what changed least.
  const shown = left ? [...drawable.slice(0, (mostRows * 2) / 3), ...drawable.slice(-mostRows / 3)] : drawable;
  const rows = shown.map(({ label, metric, change, low, high }) => ({
    label: shortened(label),
    whole: label.slice(2),
    verdict: metric.verdict,
    change: rounded(change),
    low: rounded(low),
    high: rounded(high),
    band_low: rounded((1 / (1 + metric.tolerance) - 1) * 100),
    band_high: rounded(metric.tolerance * 100),
    interval: formatChangeInterval(metric),
  }));
  return {
    file: 'ratios',
    title,
    note: left ? `The ${mostRows} that changed most; ${left} between them are in the table.` : '',
    about: `The change with its ${confidence}, the confidence interval; to the right is worse, whichever way the metric goes.`,
    summary: `${title}: ${rows
      .slice(0, 8)
      .map(({ label, verdict, interval }) => `${label.slice(2)} ${verdict}, ${interval}`)
      .join('; ')}${rows.length > 8 ? '; and more in the table' : ''}.`,
    key: [{ slot: 'band', text: 'within the tolerance' }],
    data: { rows: [{ zero: 0, ...columnsOf(rows.map(({ whole, ...row }) => row)) }] },
    table: {
      head: ['metric', `change [${confidence}]`, 'verdict'],
      rows: rows.map(({ whole, interval, verdict }) => [whole, interval, verdict]),
    },
  };
}

const shortened = (text: string) => (text.length > labelLetters ? `${text.slice(0, labelLetters - 1)}…` : text);

/** In percent, with more meaning worse; null: it has no interval. */
function turned({ scale, direction, ratio, low, high }: Drawn) {
  if (scale !== 'ratio' || ratio === null || low === null || high === null) return null;
  const [least, middle, most] = direction === 'higher' ? [1 / high, 1 / ratio, 1 / low] : [low, ratio, high];
  return { low: (least - 1) * 100, change: (middle - 1) * 100, high: (most - 1) * 100 };
}
