import type { Entry } from '../collect/collect-record.js';
import type { TableSpec } from '../collect/declared-parts.js';
import type { System } from '../collect/systems.js';
import type { JudgeChanges } from '../model/line-changes.js';
import { chosen, isSame } from '../model/shown-cases.js';
import { nameOf, type Overview } from '../model/site-model.js';
import type { CaseCell as DeclaredCell } from './case-table.js';
import { type CsvColumn, csv } from './csv.js';
import { withDecimalPoints } from './decimal-points.js';
import { publishedOf, publishedUnit, publishedUnits } from './published.js';
import { cellOf, changeCell, columnOf, type DeclaredColumn, numberOf, pairOf, titleOf } from './table-cells.js';
import { linesOf, type TableLine } from './table-lines.js';

/**
 * A table that a spec declares, as a template prints it and as programs read it.
 * published: what the author of a reference has there
 */
type Head = { text: string; unit: string; published?: boolean };

type DeclaredRow = { title: string; unit: string; note: string; derived: boolean; cells: DeclaredCell[] };

export type DeclaredTable = { title: string; note: string; of: string; head: Head[]; rows: DeclaredRow[] };

/** '': nothing was published */
export type Published = (line: TableLine, column: { title: string }) => string;

/** @param all the cases that the page shows */
export async function declaredTable(
  wish: TableSpec,
  all: Entry[],
  system: System,
  { names, missing, judgeChanges }: Overview,
): Promise<{ shown: DeclaredTable; csv: string; json: Record<string, unknown> }> {
  const entries = chosen(wish, all);
  const lines = linesOf(wish, entries, system, missing);
  const published = publishedOf(wish, system.references);
  const columns = wish.cells.map((cell) => {
    const title = titleOf(cell, names);
    const texts = lines.map((line) => published(line, { title }));
    return columnOf(cell, lines, names, publishedUnits(publishedUnit(wish, title), texts));
  });
  const several = new Set(entries.map(sourceOf)).size > 1;
  const rows = lines.map((line) => ({
    title: line.title,
    unit: '',
    derived: false,
    note: [line.rest, several && line.entry && sourceOf(line.entry)].filter(Boolean).join(', '),
    cells: columns.map((column) => cellOf(line, column)),
  }));
  const changes = await changeRows(wish, lines, columns, judgeChanges);
  const table = {
    title: wish.title,
    note: [wish.note, ...changes.refused.map((why) => `No change is shown: ${why}.`)].filter(Boolean).join(' '),
    of: several || !entries.length ? '' : sourceOf(entries[0]),
    head: [{ text: wish.by, unit: '' }, ...columns.map(({ title, unit }) => ({ text: title, unit }))],
    rows: [...rows, ...changes.rows],
  };
  const beside = lines.map((line) => columns.map((column) => published(line, column)));
  const shown = wish.transpose
    ? withPublished(transposed(table), turned(beside, columns.length), () => '')
    : withPublished({ ...table, rows: withPoints(table.rows) }, beside, ({ text }) => publishedUnit(wish, text));
  return { shown, ...forPrograms(wish, lines, columns, published) };
}

/** Rows that are turned have numbers of different kinds beneath each other. */
function withPoints(rows: DeclaredRow[]): DeclaredRow[] {
  const aligned = withDecimalPoints(rows.map(({ cells }) => cells));
  return rows.map((row, i) => ({ ...row, cells: aligned[i] }));
}

/** Rows as columns. */
const turned = (rows: string[][], width: number) => Array.from({ length: width }, (_, i) => rows.map((row) => row[i]));

/**
 * Puts a column with what was published beside each that has any.
 * @param texts by row and column; derived rows and columns have none
 * @param unitOf what was published for a column
 */
function withPublished(
  { head: [corner, ...columns], rows, ...rest }: DeclaredTable,
  texts: string[][],
  unitOf: (column: Head) => string,
): DeclaredTable {
  const has = columns.map((_, i) => texts.some((row) => row[i]));
  const besideOf = (column: Head) => ({ text: 'published', unit: unitOf(column), published: true });
  return {
    ...rest,
    head: [corner, ...columns.flatMap((column, i) => (has[i] ? [column, besideOf(column)] : column))],
    rows: rows.map((row, r) => ({
      ...row,
      cells: row.cells.flatMap((cell, i) => {
        if (!has[i]) return cell;
        const text = texts[r]?.[i] ?? '';
        return [
          cell,
          { text: text || '–', title: text ? '' : 'not published', href: '', invalid: false, published: true },
        ];
      }),
    })),
  };
}

/** Where a line's numbers are from. */
const sourceOf = (entry: Entry) => [nameOf(entry), entry.record.profile].filter(Boolean).join(', profile ');

/**
 * A line for each pair of lines that differ only in what the change is of.
 * @returns refused: why records are not compared at all
 */
async function changeRows(
  { change }: TableSpec,
  lines: TableLine[],
  columns: DeclaredColumn[],
  judge: JudgeChanges,
): Promise<{ rows: DeclaredRow[]; refused: string[] }> {
  if (!change) return { rows: [], refused: [] };
  const at = (value: unknown) => lines.filter(({ by }) => isSame(by, value));
  const rests = [...new Set([...at(change.from), ...at(change.to)].map(({ rest }) => rest))];
  const rows = rests.map((rest) => {
    const [from, to] = [change.from, change.to].map((value) => at(value).find((line) => line.rest === rest));
    return { rest, pairs: columns.map((column) => pairOf(from, to, column)) };
  });
  const pairs = rows.flatMap(({ pairs }) => pairs.flatMap((found) => ('pair' in found ? found.pair : [])));
  const judged = new Map((await judge(pairs)).map((change, i) => [pairs[i], change]));
  const [level] = [...judged.values()].flatMap(({ text, confidence }) => (text ? confidence : []));
  const shown = rows.map(({ rest, pairs }) => ({
    title: 'change',
    unit: '',
    derived: true,
    note: [rest, level && `${level} CI`].filter(Boolean).join(', '),
    cells: pairs.map((found) => changeCell(found, 'pair' in found ? judged.get(found.pair) : undefined)),
  }));
  const reasons = [...judged.values()].flatMap(({ apart, why }) => (apart ? why : []));
  return { rows: shown, refused: [...new Set(reasons)] };
}

/** Lines of these say what they are; of a swept parameter there are only values. */
const kinds = ['environment', 'scenario', 'case', 'request', 'group'];

/** Cells go down, lines across. */
function transposed({ head, rows, ...rest }: DeclaredTable): DeclaredTable {
  const [corner, ...columns] = head;
  return {
    ...rest,
    head: [
      { text: kinds.includes(corner.text) ? '' : corner.text, unit: '' },
      ...rows.map(({ title, note }) => ({ text: title, unit: note })),
    ],
    rows: columns.map(({ text, unit }, i) => ({
      title: text,
      unit,
      note: '',
      derived: false,
      cells: rows.map(({ cells }) => cells[i]),
    })),
  };
}

/** The same numbers as the records have them. */
function forPrograms(wish: TableSpec, lines: TableLine[], columns: DeclaredColumn[], published: Published) {
  const { title, by } = wish;
  const single = columns.flatMap((declared) =>
    declared.metrics.map((metric, i) => ({
      declared,
      wish: declared.wish,
      metric,
      unit: declared.units[i],
      title: declared.metrics.length > 1 ? `${declared.title}: ${metric}` : declared.title,
    })),
  );
  const beside = columns.filter((column) => lines.some((line) => published(line, column)));
  const valuesOf = (line: TableLine) => single.map(({ wish, metric }) => numberOf(line, wish, metric));
  const publishedHead = ({ title: of }: DeclaredColumn) =>
    [of, 'published', publishedUnit(wish, of)].filter(Boolean).join(', ');
  return {
    csv: csv(
      [
        [by, (line) => line.by],
        ['of', (line) => line.rest],
        ...single.map(
          ({ wish, metric, title, unit }): CsvColumn<TableLine> => [
            unit && unit !== '1' ? `${title}, ${unit}` : title,
            (line) => {
              const found = numberOf(line, wish, metric);
              return found?.valid ? found.value : null;
            },
          ],
        ),
        ...beside.map((column): CsvColumn<TableLine> => [publishedHead(column), (line) => published(line, column)]),
        ['record', recordOf],
      ],
      lines,
    ),
    json: {
      title,
      by,
      lines: lines.map((line) => ({
        by: line.by,
        of: line.rest,
        record: recordOf(line),
        cells: valuesOf(line).map((found, i) => ({
          title: single[i].title,
          metric: single[i].metric,
          unit: single[i].unit,
          value: found?.value ?? null,
          valid: found?.valid ?? false,
          ...(published(line, single[i].declared) && { published: published(line, single[i].declared) }),
        })),
      })),
    },
  };
}

const recordOf = ({ entry }: TableLine) => (entry ? `${entry.url}.json` : null);
