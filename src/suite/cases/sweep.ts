import type { Path, Report } from './error.js';
import type { TomlTable } from './toml.js';

export type Value = string | number | boolean;

type Steps = { from: number; to: number; step: number };

type Points = { from: number; to: number; points: number; scale?: 'linear' | 'log' };

/** More cases than this from one scenario are a slip of the pen. */
const mostCases = 10000;

/**
 * Every combination of the swept values: the first key varies slowest. A list of rows is taken as it is.
 * @param sweep key = list | {from, to, step} | {from, to, points, scale}; or rows
 * @returns one empty combination when nothing is swept
 */
export function expandSweep(
  sweep: TomlTable | Record<string, Value>[],
  path: Path,
  report: Report,
): Record<string, Value>[] {
  if (Array.isArray(sweep)) return readRows(sweep, path, report);
  const columns = Object.entries(sweep).map(([key, written]) => {
    const values = valuesOf(written, (message, hint) => report([...path, key], message, hint));
    return values.map((value) => [key, value] as [string, Value]);
  });
  const count = columns.reduce((product, column) => product * column.length, 1);
  if (count > mostCases) {
    report(path, `the sweep makes ${count} cases`, `At most ${mostCases} are taken.`);
    return [];
  }
  const combinations: [string, Value][][] = columns.reduce(
    (rows, column) => rows.flatMap((row) => column.map((cell) => [...row, cell])),
    [[]] as [string, Value][][],
  );
  return combinations.map((cells) => Object.fromEntries(cells));
}

function readRows(rows: Record<string, Value>[], path: Path, report: Report) {
  const keys = Object.keys(rows[0] ?? {})
    .sort()
    .join(', ');
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  rows.forEach((row, i) => {
    const own = Object.keys(row).sort().join(', ');
    if (own !== keys) {
      report([...path, i], `the sweep's first line has ${keys}, and this one ${own}`, 'All lines have the same keys.');
    } else if (texts.indexOf(texts[i]) < i) report([...path, i], 'the sweep has this line twice');
  });
  if (rows.length > mostCases) report(path, `the sweep makes ${rows.length} cases`, `At most ${mostCases} are taken.`);
  return rows.filter((row, i) => texts.indexOf(texts[i]) === i && Object.keys(row).sort().join(', ') === keys);
}

/** The keys that a sweep has. */
export const sweptKeys = (sweep: TomlTable | TomlTable[] | undefined = {}): string[] =>
  Array.isArray(sweep) ? [...new Set(sweep.flatMap((row) => Object.keys(row)))] : Object.keys(sweep);

function valuesOf(written: Value[] | Steps | Points, report: (message: string, hint?: string) => void): Value[] {
  const values = Array.isArray(written)
    ? written
    : 'points' in written
      ? spread(written, report)
      : steps(written, report);
  if (Array.isArray(written) && !values.length) {
    report('the sweep has no values', 'Give at least one, or drop the key.');
  }
  const twice = values.find((value, i) => values.indexOf(value) < i);
  if (twice !== undefined) report(`the sweep has the value ${twice} twice`);
  return [...new Set(values)];
}

function steps({ from, to, step }: Steps, report: (message: string, hint?: string) => void) {
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (!Number.isFinite(count) || count < 1) {
    report(`from ${from} to ${to} in steps of ${step} has no values`, 'The step must lead from `from` to `to`.');
    return [];
  }
  if (count > mostCases) {
    report(`from ${from} to ${to} in steps of ${step} has ${count} values`, `At most ${mostCases} are taken.`);
    return [];
  }
  return Array.from({ length: count }, (_, i) => clean(from + i * step));
}

/**
 * Points between two bounds, evenly spaced on a linear or logarithmic scale. Whole bounds give whole numbers when there
 * is room for them: rates and users must be whole.
 */
function spread({ from, to, points, scale = 'linear' }: Points, report: (message: string, hint?: string) => void) {
  if (scale === 'log' && !(from > 0 && to > 0)) {
    report('a logarithmic sweep needs bounds above 0', 'List the values to have 0 among them.');
    return [];
  }
  if (!(Number.isInteger(points) && points >= 2 && points <= mostCases)) {
    report(`a sweep over points needs 2 to ${mostCases} of them`);
    return [];
  }
  const exact = Array.from({ length: points }, (_, i) => {
    const share = i / (points - 1);
    return scale === 'log' ? from * (to / from) ** share : from + (to - from) * share;
  });
  const gaps = exact.slice(1).map((value, i) => Math.abs(value - exact[i]));
  const whole = Number.isInteger(from) && Number.isInteger(to) && Math.min(...gaps) >= 1;
  const inner = exact.slice(1, -1).map((value, i) => readable(value, gaps[i + 1]));
  return [from, ...(whole ? inner.map(Math.round) : inner), to];
}

/**
 * Three significant digits, or as many as tell a value from the next one: 2154.43 becomes 2150.
 * @param gap to the next value
 */
function readable(value: number, gap: number) {
  const digits = (x: number, kept: number) => Math.floor(Math.log10(Math.abs(x))) - kept + 1;
  const exponent = Math.min(value === 0 ? Infinity : digits(value, 3), gap === 0 ? Infinity : digits(gap, 2));
  if (!Number.isFinite(exponent)) return value;
  return exponent >= 0 ? Math.round(value / 10 ** exponent) * 10 ** exponent : clean(Number(value.toFixed(-exponent)));
}

/** Without the noise of binary fractions: 0.1 * 3 is 0.3. */
const clean = (value: number) => Number(value.toPrecision(12));
