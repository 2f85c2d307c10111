/** @import { Reference, TableSpec } from '../collect/declared.js' */
/** @import { Published } from './declared-table.js' */

/**
 * What a declared table has of a published reference: the number in the row and column there that are called like those here, or as
 * `rows` and `columns` of the table say. A reference has the same way round as the table is shown.
 * @param {TableSpec} wish
 * @param {readonly Reference[]} references of the system
 * @returns {Published}
 */
export function publishedOf({ published, transpose = false }, references) {
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
 * @param {TableSpec} wish
 * @param {string} title of the column here
 * @returns {string} '': none
 */
export function publishedUnit({ published }, title) {
  return /, ([^,]+)$/.exec(called(published?.columns ?? {}, title))?.[1] ?? '';
}

/** What a reference calls a row or column. @param {Record<string, string>} names @param {string} name here */
const called = (names, name) => (Object.hasOwn(names, name) ? names[name] : name);
