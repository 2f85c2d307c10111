import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '../../dist/cli/commands/import.js';
import { recordProblem } from '../../dist/records/records.js';
import { root } from './cli.js';
import { readJson } from './raw.js';
import { newSuite, worldIn } from './runs.js';

/** @import { ImportOptions } from '../../dist/cli/commands/import.js' */

const fixtures = join(root, 'test', 'fixtures', 'imported');

/** What other tools wrote. @param {string[]} names */
export const fixture = (...names) => join(fixtures, ...names);

/** @param {string[]} names */
export const linesOf = (...names) => readFileSync(fixture(...names), 'utf8').split('\n');

/** @type {{ system: string, scenario: string, environment: string, caseValue: Record<string, string>, errorCap: number }} */
const usual = { system: 'shop', scenario: 'browse', environment: 'imported', caseValue: {}, errorCap: 0.2 };

/** Of files that do not say when they were measured. */
export const time = '2026-11-21T20:54:00Z';

/**
 * The record of files.
 * @param {string} format
 * @param {string[]} files
 * @param {Partial<ImportOptions>} [options]
 * @returns {Promise<any>}
 */
export async function imported(format, files, options = {}) {
  const suite = newSuite();
  await importFiles({ ...usual, ...options, format, files, version: 'v1' }, worldIn(suite));
  const record = readJson(join(suite, 'reports', 'versions', 'v1', 'shop', 'imported', 'browse.json'));
  assert.equal(recordProblem(record), null);
  return record;
}

/** @param {any} record @param {string} name */
export const metricValue = (record, name) => record.metrics[name]?.value;
