import type { Path, Report } from './error.js';
import type { TomlTable } from './toml.js';

export type Rows = {
  /** relative to the spec's folder */
  file: string;
  /** json: a list of objects; jsonl: an object a line */
  format: 'csv' | 'json' | 'jsonl';
  delimiter: string;
  /** the first line of a CSV file names the columns */
  header: boolean;
  /** null: named by the header, or by the objects' keys */
  columns: string[] | null;
  /**
   * of columns of a CSV file whose values are not text; not there without any, so that definitions without stay what they were
   */
  types?: Record<string, 'number' | 'boolean'>;
  order: 'shared' | 'random' | 'user';
  /** hexadecimal */
  sha256: string | null;
};

const formats: Record<string, Rows['format']> = { json: 'json', jsonl: 'jsonl', ndjson: 'jsonl' };

/** The data files of a scenario: one table, or a list of them. */
export function readRows(written: TomlTable | TomlTable[] | undefined, path: Path, report: Report): Rows[] {
  if (!written) return [];
  if (!Array.isArray(written)) return [readFile(written, path, report)];
  return written.map((file, i) => readFile(file, [...path, i], report));
}

function readFile(written: TomlTable, path: Path, report: Report): Rows {
  const extension = /\.([a-z]+)$/i.exec(written.file)?.[1].toLowerCase() ?? '';
  const {
    file,
    format = formats[extension] ?? 'csv',
    columns = null,
    types,
    order = 'shared',
    sha256 = null,
  } = written;
  const { delimiter = extension === 'tsv' ? '\t' : ',', header = true } = written;
  if (format === 'csv' && !header && !columns) {
    report(path, `${file} has no header, and the columns have no names`, 'Set `columns = ["…", …]`.');
  }
  if (types && format !== 'csv') {
    report([...path, 'types'], `the values of ${file} have their types already`, 'Drop `types`: it is for CSV.');
  }
  const unknown = Object.keys(types ?? {}).find((name) => columns && !columns.includes(name));
  if (unknown !== undefined)
    report([...path, 'types', unknown], `there is no column "${unknown}"`, { got: unknown, known: columns }, 'key');
  return { file, format, delimiter, header, columns, ...(types && { types }), order, sha256 };
}
