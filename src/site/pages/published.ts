import { formatNumber, type Print } from '../../base/format.js';
import type { Reference, TableSpec } from '../collect/declared-parts.js';
import type { Published } from './declared-table.js';

/**
 * What a declared table has of a published reference: the number in the row and column there that are called like those here, or as
 * `rows` and `columns` of the table say. A reference has the same way round as the table is shown.
 * @param references of the system
 */
export function publishedOf({ published, transpose = false }: TableSpec, references: readonly Reference[]): Published {
  const reference = references.find(({ title }) => title === published?.reference);
  if (!published || !reference) return () => '';
  const { rows = {}, columns = {} } = published;
  return ({ by }, { title }) => {
    const [row, column] = transpose ? [title, String(by)] : [String(by), title];
    const found = reference.rows.find(([first]) => first === called(rows, row));
    const at = reference.columns.indexOf(called(columns, column));
    return at > 0 ? (found?.[at] ?? '') : '';
  };
}

/**
 * The unit that a published reference says behind the last comma of a column: "s" of "Load time, s".
 * @param title of the column here
 * @returns '': none
 */
export function publishedUnit({ published }: TableSpec, title: string): string {
  return /, ([^,]+)$/.exec(called(published?.columns ?? {}, title))?.[1] ?? '';
}

/**
 * The units in which a column's numbers were published, in the order of the numbers in a cell: ["GB", "%"] of "1.74 (87%)" below
 * "Memory, GB (%)", ["ms"] of "45ms". Two numbers beside each other are read as if they had one unit.
 * @param unit that the reference's column says
 * @param texts of its cells
 */
export function publishedUnits(unit: string, texts: readonly string[]): string[] {
  const ofHead = unitsIn(unit);
  if (ofHead.length) return ofHead;
  const all = new Set(texts.filter(Boolean).map((text) => unitsIn(text).join(' ')));
  return all.size === 1 ? [...all][0].split(' ').filter(Boolean) : [];
}

/** @returns none where a word of it is no unit: it may be a part of a title */
function unitsIn(text: string): string[] {
  const words = text.match(/[a-zµμ%]+(?:\/[a-z]+)?/gi) ?? [];
  return words.every((word) => Object.values(factors).some((units) => Object.hasOwn(units, word))) ? words : [];
}

/** How many of a published unit one of a record's is, by the record's unit. */
const factors: Record<string, Record<string, number>> = {
  ms: {
    ns: 1e6,
    us: 1e3,
    µs: 1e3,
    μs: 1e3,
    ms: 1,
    s: 1e-3,
    sec: 1e-3,
    seconds: 1e-3,
    min: 1 / 60_000,
    h: 1 / 3_600_000,
  },
  bytes: {
    B: 1,
    bytes: 1,
    kB: 1e-3,
    KB: 1e-3,
    MB: 1e-6,
    GB: 1e-9,
    TB: 1e-12,
    KiB: 2 ** -10,
    MiB: 2 ** -20,
    GiB: 2 ** -30,
    TiB: 2 ** -40,
  },
  cores: { cores: 1, '%': 100 },
  ratio: { '%': 100 },
};
factors.s = Object.fromEntries(Object.entries(factors.ms).map(([unit, factor]) => [unit, factor * 1000]));
factors['bytes/s'] = Object.fromEntries(Object.entries(factors.bytes).map(([unit, factor]) => [`${unit}/s`, factor]));

/**
 * How numbers of a record are printed beside published ones.
 * @param unit of the record
 * @param published unit
 * @returns null: as ever, for it is the same unit, or none that is known
 */
export function printBeside(unit: string, published: string | undefined): Print | null {
  if (published === undefined || !Object.hasOwn(factors, unit) || !Object.hasOwn(factors[unit], published)) return null;
  return { factor: factors[unit][published], unit: published, format: formatNumber };
}

/**
 * What a reference calls a row or column.
 * @param name here
 */
const called = (names: Record<string, string>, name: string) => (Object.hasOwn(names, name) ? names[name] : name);
