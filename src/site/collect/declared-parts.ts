import { basename, join } from 'node:path';
import { readInside } from '../../base/io/file-inside.js';
import { isTable } from '../../suite/cases/profile.js';
import type { TomlTable } from '../../suite/cases/toml.js';
import { type ChartFile, readChartFile } from '../../suite/vega-lite/spec-file.js';

/**
 * What a spec declares for its page beside its scenarios. values of swept parameters, environment, scenario: what a case must
 * have
 */
export type Where = Record<string, unknown>;

export type ChartSpec = {
  title?: string;
  type?: 'line' | 'bar' | 'point' | 'time' | 'distribution' | 'histogram' | 'vega-lite';
  /** of lines, bars and points */
  x?: string;
  y?: string | string[];
  /** the meaning of a line or colour */
  series?: string;
  /** of x */
  scale?: 'linear' | 'log' | 'symlog';
  /** of a chart that is not a scenario's own */
  scenarios?: string[];
  where?: Where;
  /** a line for the eye, in the unit of records */
  reference_line?: 'x=y' | number;
  reference_line_title?: string;
  /** "request": a line each */
  by?: string;
  /** of type "vega-lite": the chart */
  file?: string;
  /** that it gets */
  metrics?: string[];
  /** what is in the file */
  own?: ChartFile;
};

export type TableSpec = {
  title: string;
  scenario?: string;
  scenarios?: string[];
  where?: Where;
  by: string;
  cells: CellSpec[];
  change?: { from: unknown; to: unknown };
  transpose?: boolean;
  note?: string;
  published?: PublishedSpec;
};

/** reference: its title; rows, columns: what is called otherwise there, by its name here */
type PublishedSpec = { reference: string; rows?: Record<string, string>; columns?: Record<string, string> };

export type CellSpec = {
  title?: string;
  metric?: string;
  metrics?: string[];
  text?: string;
  request?: string;
  group?: string;
  service?: string;
};

/** Numbers that somebody else published. */
export type Reference = {
  title: string;
  source: string;
  date: string;
  machine: string;
  note: string;
  columns: string[];
  rows: string[][];
};

export type Attachment = { title: string; name: string; environment: string; bytes: number; text: string };

const isText = (value: unknown) => typeof value === 'string';

/** What the pages rely on; `benchfolio check` knows the rest. */
const sound: Record<string, (one: TomlTable) => boolean> = {
  tables: ({ title, by, cells }) => isText(title) && isText(by) && Array.isArray(cells) && cells.every(isTable),
  charts: () => true,
  references: ({ columns = [], rows = [] }) =>
    Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray),
  attachments: ({ file }) => isText(file),
};

/** A list of tables of a spec, without those that cannot be read. */
export function listOf(
  spec: TomlTable,
  key: 'tables' | 'charts' | 'references' | 'attachments',
  refuse: (message: string) => void,
): TomlTable[] {
  const all = [spec[key] ?? []].flat();
  return all.filter((item, i) => {
    const isSound = isTable(item) && sound[key](item);
    if (!isSound) refuse(`${key} ${i + 1} lacks what it needs; \`benchfolio check\` says what`);
    return isSound;
  });
}

/**
 * Charts with what is in their files; what is wrong with a file is said where the chart would be.
 * @param folder of the system
 * @param charts as written
 */
export const withFiles = (folder: string, charts: ChartSpec[]): ChartSpec[] =>
  charts.map((chart) =>
    chart.type === 'vega-lite' && isText(chart.file)
      ? { ...chart, own: readChartFile(folder, String(chart.file)) }
      : chart,
  );

/** More of a file than this is not shown: it is cut, and the page says so. */
const mostBytes = 256_000;

/** @param references as written */
export const referencesOf = (references: TomlTable[]): Reference[] =>
  references.map((reference) => ({
    title: textOf(reference.title),
    source: textOf(reference.source),
    date: textOf(reference.date),
    machine: textOf(reference.machine),
    note: textOf(reference.note),
    columns: (reference.columns ?? []).map(textOf),
    rows: (reference.rows ?? []).map((row: unknown[]) => row.map(textOf)),
  }));

/** Numbers as they were published, dates as days. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return value instanceof Date ? value.toISOString().replace(/T00:00:00.*$/, '') : String(value);
}

/**
 * The files of a system that its page shows.
 * @param folder of the system
 * @param attachments as written
 * @param refuse gets a file that cannot be shown
 */
export function attachmentsOf(
  folder: string,
  attachments: TomlTable[],
  refuse: (file: string, message: string) => void,
): Attachment[] {
  const found = [];
  for (const { title, file, environment = '' } of attachments) {
    const name = String(file);
    const read = shownOf(readInside(folder, name, mostBytes));
    if (typeof read === 'string') refuse(join(folder, name), read);
    else found.push({ title: textOf(title) || basename(name), name, environment, ...read });
  }
  return found;
}

/** @returns a text: why it cannot be shown */
function shownOf(read: ReturnType<typeof readInside>): { bytes: number; text: string } | string {
  if (read === 'missing') return 'there is no such file to attach';
  if (read === 'outside') return 'an attachment must lie in the folder of its system';
  const { data, bytes } = read;
  if (data.includes(0)) return 'an attachment must be text';
  return {
    bytes,
    text: data.toString('utf8') + (bytes > data.length ? `\n… (the first ${data.length} of ${bytes} bytes)` : ''),
  };
}
