import type { Key } from '../../../site/assets/js/latency-lines.js';
import { formatPlain, type Print, withUnit } from '../../base/format.js';

/** The line that a spec asks for beside the measured ones: a value of y, or where x and y are equal. */
type ReferenceLine = { diagonal: Record<string, unknown>[]; rules: Record<string, unknown>[]; key: Key[] };

/**
 * @param print of y: a reference line is in the unit of records
 * @param places the numbers of x, where x has any
 */
export function referenceLineOf(
  { reference_line, reference_line_title: title }: { reference_line?: 'x=y' | number; reference_line_title?: string },
  print: Print,
  places: number[] = [],
): ReferenceLine {
  if (reference_line === undefined) return { diagonal: [], rules: [], key: [] };
  if (reference_line === 'x=y') {
    const ends = [Math.min(...places), Math.max(...places)];
    const diagonal = places.length > 1 ? [{ x: ends, y: ends.map((x) => x * print.factor) }] : [];
    return { diagonal, rules: [], key: diagonal.length ? [{ slot: 'reference-line', text: title ?? 'x = y' }] : [] };
  }
  const value = reference_line * print.factor;
  const text = title ?? withUnit(formatPlain(value), print.unit);
  return { diagonal: [], rules: [{ value: [value], reference_line: [text] }], key: [{ slot: 'reference-line', text }] };
}
