import type { Print } from '../../base/format.js';
import { type Chart, rounded } from './chart.js';
import { columnsOf } from './points.js';

/**
 * A metric of a duet, block by block: a dot for base, a dot for head, and what is between them.
 * @param title of the metric
 * @param metric of a comparison
 * @returns null: it has no blocks
 */
export function blocksChart(
  title: string,
  { blocks }: { blocks?: { base: number[]; head: number[] }; verdict: string },
  print: Print,
): Chart | null {
  if (!blocks || blocks.base.length < 2) return null;
  const rows = blocks.base.map((base, i) => ({
    block: i + 1,
    base: rounded(base * print.factor),
    head: rounded(blocks.head[i] * print.factor),
  }));
  const heading = [title, print.unit].filter(Boolean).join(', ');
  return {
    file: 'blocks',
    title: `${title}, block by block`,
    summary: `${heading} in ${rows.length} blocks: ${rows
      .slice(0, 12)
      .map(({ base, head }) => `${base} and ${head}`)
      .join('; ')} (base and head).`,
    key: [
      { slot: 1, text: 'head' },
      { slot: 'base', text: 'base' },
    ],
    patch: { fields: { base: { title: heading } } },
    data: { blocks: [columnsOf(rows)] },
    table: {
      head: ['block', 'base', 'head'],
      rows: rows.map(({ block, base, head }) => [block, base, head].map(String)),
    },
  };
}
