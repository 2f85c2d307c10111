import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpack } from './archive.js';
import { root } from './cli.js';
import { jqIn } from './engines.js';
import { wholeCase } from './raw-case.js';

/** @import { Engine } from './engines.js' */

/** @type {Map<string, string>} */
const unpacked = new Map();

/**
 * Where the raw files of a situation are, to be read.
 * @param {string} situation
 * @returns {string} absolute
 */
export function rawOf(situation) {
  const folder = unpacked.get(situation) ?? copyOf(situation);
  unpacked.set(situation, folder);
  return folder;
}

/**
 * A copy of the raw files of a situation, to be changed.
 * @param {string} situation
 * @returns {string} its folder
 */
export function copyOf(situation) {
  const folder = unpack('raw', situation);
  edit(join(folder, 'case.json'), wholeCase);
  return folder;
}

/**
 * Changes a file of JSON, or each line of one.
 * @param {string} file
 * @param {(value: any) => any} change
 */
export function edit(file, change) {
  const lines = file.endsWith('.ndjson') ? readFileSync(file, 'utf8').trim().split('\n') : [readFileSync(file, 'utf8')];
  writeFileSync(file, lines.map((line) => JSON.stringify(change(JSON.parse(line)))).join('\n'));
}

/** @param {string} file */
export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @param {string} file @returns {any[]} */
export const readLines = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * The record of a situation, as records.test.js sees every jq make it.
 * @param {string} situation
 * @returns {any}
 */
export const recordOf = (situation) => readJson(join(rawOf(situation), 'record.json'));

/**
 * Reduces raw files in one interpreter, as the readme says.
 * @param {Engine} engine
 * @param {string} folder of a case
 * @returns {Promise<any>} the record
 */
export async function reduceIn(engine, folder) {
  const all = readdirSync(folder, { recursive: true }).map(String);
  const files = all.filter((file) => /^round-[^/]*\/[a-z]+\.(nd)?json$/.test(file)).sort();
  const ofCase = ['case.json', 'speed.json'].filter((file) => all.includes(file));
  const paths = [...ofCase, ...files].map((file) => join(folder, file));
  return JSON.parse(await jqIn(engine, ['-f', join(root, 'reports', 'record.json.jq'), ...paths]));
}

/**
 * Asserts that two numbers are the same but for the digits that a record keeps.
 * @param {number} a
 * @param {number} b
 */
export const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b), `${a} is not ${b}`);
