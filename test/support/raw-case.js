// The fixtures of raw files have one case.json, raw/case.json, and each of them what is different in its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from './cli.js';

/** @typedef {Record<string, any>} CaseFile what case.json holds */

/** @returns {CaseFile} */
const common = () => JSON.parse(readFileSync(join(root, 'test', 'fixtures', 'raw', 'case.json'), 'utf8'));

/** @param {unknown} value */
const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * What is different in a case.json: keys of its tables, two levels deep; `without`: those of the case that it does not have.
 * @param {CaseFile} file
 * @returns {CaseFile}
 */
export function differenceOf(file) {
  const base = common();
  const without = Object.keys(base.case).filter((key) => !(key in file.case));
  return { ...changed(file, base, 1), ...(without.length > 0 && { without }) };
}

/** @param {CaseFile} file @param {CaseFile} base @param {number} depth @returns {CaseFile} */
const changed = (file, base, depth) =>
  Object.fromEntries(
    Object.entries(file)
      .filter(([key, value]) => !isDeepStrictEqual(value, base[key]))
      .map(([key, value]) => [
        key,
        depth > 0 && isTable(value) && isTable(base[key]) ? changed(value, base[key], depth - 1) : value,
      ]),
  );

/**
 * The case.json of a fixture.
 * @param {CaseFile} difference
 * @returns {CaseFile}
 */
export function wholeCase({ without = [], ...difference }) {
  const base = common();
  const merged = Object.entries(difference).map(([key, value]) => [
    key,
    isTable(value) && isTable(base[key]) ? { ...base[key], ...value } : value,
  ]);
  const file = { ...base, ...Object.fromEntries(merged) };
  for (const key of without) delete file.case[key];
  return file;
}
