import { basename, join } from 'node:path';
import { readInside } from '../../base/io/file-inside.js';
import { isTable } from '../../suite/cases/profile.js';
import { readChartFile } from '../../suite/vega-lite/spec-file.js';

/** @import { TomlTable } from '../../suite/cases/toml.js' */
/** @import { ChartFile } from '../../suite/vega-lite/spec-file.js' */

/**
 * What a spec declares for its page beside its scenarios.
 *
 * @typedef {Record<string, unknown>} Where values of swept parameters, environment, scenario: what a case must have
 * @typedef {object} ChartSpec
 * @property {string} [title]
 * @property {'line' | 'bar' | 'point' | 'time' | 'distribution' | 'histogram' | 'vega-lite'} [type]
 * @property {string} [x] of lines, bars and points
 * @property {string | string[]} [y]
 * @property {string} [series] what a line or colour stands for
 * @property {'linear' | 'log' | 'symlog'} [scale] of x
 * @property {string[]} [scenarios] of a chart that is not a scenario's own
 * @property {Where} [where]
 * @property {'x=y' | number} [reference_line] a line for the eye, in the unit of records
 * @property {string} [reference_line_title]
 * @property {string} [by] "request": a line each
 * @property {string} [file] of type "vega-lite": the chart
 * @property {string[]} [metrics] that it gets
 * @property {ChartFile} [own] what is in the file
 *
 * @typedef {{ title: string, scenario?: string, scenarios?: string[], where?: Where, by: string, cells: CellSpec[],
 *   change?: { from: unknown, to: unknown }, transpose?: boolean, note?: string, published?: PublishedSpec }} TableSpec
 * @typedef {{ reference: string, rows?: Record<string, string>, columns?: Record<string, string> }} PublishedSpec reference: its
 *   title; rows, columns: what is called otherwise there, by its name here
 * @typedef {{ title?: string, metric?: string, metrics?: string[], text?: string, request?: string, group?: string,
 *   service?: string }} CellSpec
 * @typedef {{ title: string, source: string, date: string, machine: string, note: string, columns: string[],
 *   rows: string[][] }} Reference numbers that somebody else published
 * @typedef {{ title: string, name: string, environment: string, bytes: number, text: string }} Attachment
 */

/** @param {unknown} value */
const isText = (value) => typeof value === 'string';

/**
 * What the pages rely on; `benchfolio check` knows the rest.
 * @type {Record<string, (one: TomlTable) => boolean>}
 */
const sound = {
  tables: ({ title, by, cells }) => isText(title) && isText(by) && Array.isArray(cells) && cells.every(isTable),
  charts: () => true,
  references: ({ columns = [], rows = [] }) =>
    Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray),
  attachments: ({ file }) => isText(file),
};

/**
 * A list of tables of a spec, without those that cannot be read.
 * @param {TomlTable} spec
 * @param {'tables' | 'charts' | 'references' | 'attachments'} key
 * @param {(message: string) => void} refuse
 * @returns {TomlTable[]}
 */
export function listOf(spec, key, refuse) {
  const all = [spec[key] ?? []].flat();
  return all.filter((item, i) => {
    const isSound = isTable(item) && sound[key](item);
    if (!isSound) refuse(`${key} ${i + 1} lacks what it needs; \`benchfolio check\` says what`);
    return isSound;
  });
}

/**
 * Charts with what is in their files; what is wrong with a file is said where the chart would be.
 * @param {string} folder of the system
 * @param {ChartSpec[]} charts as written
 * @returns {ChartSpec[]}
 */
export const withFiles = (folder, charts) =>
  charts.map((chart) =>
    chart.type === 'vega-lite' && isText(chart.file)
      ? { ...chart, own: readChartFile(folder, String(chart.file)) }
      : chart,
  );

/** More of a file than this is not shown: it is cut, and the page says so. */
const mostBytes = 256_000;

/** @param {TomlTable[]} references as written @returns {Reference[]} */
export const referencesOf = (references) =>
  references.map((reference) => ({
    title: textOf(reference.title),
    source: textOf(reference.source),
    date: textOf(reference.date),
    machine: textOf(reference.machine),
    note: textOf(reference.note),
    columns: (reference.columns ?? []).map(textOf),
    rows: (reference.rows ?? []).map((/** @type {unknown[]} */ row) => row.map(textOf)),
  }));

/** Numbers as they were published, dates as days. @param {unknown} value @returns {string} */
function textOf(value) {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return value instanceof Date ? value.toISOString().replace(/T00:00:00.*$/, '') : String(value);
}

/**
 * The files of a system that its page shows.
 * @param {string} folder of the system
 * @param {TomlTable[]} attachments as written
 * @param {(file: string, message: string) => void} refuse gets a file that cannot be shown
 * @returns {Attachment[]}
 */
export function attachmentsOf(folder, attachments, refuse) {
  const found = [];
  for (const { title, file, environment = '' } of attachments) {
    const name = String(file);
    const read = shownOf(readInside(folder, name, mostBytes));
    if (typeof read === 'string') refuse(join(folder, name), read);
    else found.push({ title: textOf(title) || basename(name), name, environment, ...read });
  }
  return found;
}

/**
 * @param {ReturnType<typeof readInside>} read
 * @returns {{ bytes: number, text: string } | string} a text: why it cannot be shown
 */
function shownOf(read) {
  if (read === 'missing') return 'there is no such file to attach';
  if (read === 'outside') return 'an attachment must lie in the folder of its system';
  const { data, bytes } = read;
  if (data.includes(0)) return 'an attachment must be text';
  return {
    bytes,
    text: data.toString('utf8') + (bytes > data.length ? `\n… (the first ${data.length} of ${bytes} bytes)` : ''),
  };
}
