import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { recordProblem, schemaVersion } from '../../records/schema.js';
import { Refused } from './problem.js';

/**
 * What the pages need of a record; reports/schema/record.schema.json says all of it.
 * @typedef {{ unit: string, value: number | null, samples: (number | null)[], count: number | null, valid: boolean,
 *   reason: string | null }} Metric
 * @typedef {{ metric: string, selector: Record<string, string>, expr: string, level: 'fail' | 'warn',
 *   observed: number | null, count: number | null, outcome: 'met' | 'missed' | 'unknown', reason: string | null,
 *   implicit: boolean }} Threshold
 * @typedef {{ id: string, level: 'error' | 'warn' | 'info', text: string, metrics: string[] }} Finding
 * @typedef {{ p: number[], values: number[], count: number }} Distribution
 * @typedef {{ service: string, action: string, at_s: number, for_s: number, recover_within_s: number, errors: number[],
 *   recovery_ms: (number | null)[], down_ms: (number | null)[] }} Fault a number for each round
 * @typedef {{ load: number, achieved_rps: number | null, latency_ms_p50: number | null, latency_ms_p95: number | null,
 *   errors_ratio: number | null, met: boolean, reason: string | null }} Tried
 * @typedef {{ parameter: 'rate' | 'vus', metric: string, precision: number, probe_s: number, confidence: number, value: number,
 *   low: number | null, high: number | null, estimates: number[], curve: Tried[] }} Search
 * @typedef {object} BenchRecord
 * @property {string} scenario
 * @property {string | null} title
 * @property {Record<string, any>} values of swept parameters
 * @property {string | null} profile
 * @property {string} definition
 * @property {string} time ISO, UTC
 * @property {string | null} commit
 * @property {boolean | null} dirty
 * @property {string} command
 * @property {number | null} seed
 * @property {number} rounds
 * @property {Record<string, any>} fingerprint
 * @property {{ seconds: number }} window
 * @property {Record<string, Metric>} metrics
 * @property {Record<string, { count: number, share: number | null, metrics: Record<string, Metric> }>} requests
 * @property {Record<string, { metrics: Record<string, Metric> }>} services
 * @property {Threshold[]} thresholds
 * @property {Finding[]} findings
 * @property {Record<string, { count: number, metrics: Record<string, Metric> }>} [groups] requests timed as one
 * @property {Fault[]} [faults]
 * @property {{ users: number[], receiving_bytes_per_second: (number | null)[], requests: number[] } | null} [per_user]
 * @property {Search} [search] of find: how its load was found
 * @property {{ format: string, tool: string, files: { name: string, sha256: string }[] }} [imported] of another tool
 * @property {Distribution | null} distribution
 * @property {Record<string, any> | null} timeline
 * @property {'pass' | 'fail' | 'invalid'} verdict
 */

/**
 * A record and where its page is.
 * @typedef {Place & { record: BenchRecord, text: string, digest: string, kept: boolean, lastRun: boolean,
 *   url: string }} Entry text: of its file; digest: of that; lastRun: it is of the last run, kept since or not; url: of its page, without .html, from the
 * site's root
 *
 * @typedef {{ version: string, system: string, environment: string, case: string }} Place what its folders say
 */

/**
 * Reads one record and refuses what is not one, or not the one its place says it is.
 * @param {string} file absolute
 * @param {Place} place
 * @param {boolean} kept
 * @returns {Promise<Entry>}
 * @throws {Refused}
 */
export async function readRecord(file, place, kept) {
  refuseNames(place);
  const text = textOf(file);
  const record = parsed(text);
  if (record?.schema !== schemaVersion) {
    throw new Refused(`its schema is ${JSON.stringify(record?.schema)}; this benchfolio reads ${schemaVersion}`);
  }
  const problem = recordProblem(record);
  if (problem) throw new Refused(`it is no record: ${problem}`);
  for (const [key, value] of Object.entries(place)) {
    if (record[key] === value) continue;
    throw new Refused(`its ${key} is ${JSON.stringify(record[key])}, its place says ${JSON.stringify(value)}`);
  }
  return {
    record,
    text,
    digest: createHash('sha256').update(text).digest('hex'),
    kept,
    lastRun: !kept,
    ...place,
    url: urlOf(place),
  };
}

/** Synchronously: there are a thousand small files, and nothing else to do meanwhile. @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refused(`it cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`);
  }
}

/** @param {Place} place */
const urlOf = ({ version, system, environment, case: name }) => `versions/${version}/${system}/${environment}/${name}`;

/** As in the record's schema: names become files and addresses, and mean nothing else in either. */
const name = /^[A-Za-z0-9_][A-Za-z0-9._+,=-]{0,199}$/;
const versionName = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/** @param {string} text @returns {boolean} could it be the name of a system, an environment or a case? */
export const isName = (text) => name.test(text) && !taken.test(text);

/** The folder of a version called v1.html would be in the way of the page of v1. */
const taken = /\.(html|json|csv|svg)$/i;

/** @param {Place} place */
function refuseNames(place) {
  for (const [key, value] of Object.entries(place)) {
    const pattern = key === 'version' ? versionName : name;
    if (pattern.test(value) && !taken.test(value)) continue;
    throw new Refused(`${JSON.stringify(value)} cannot be the name of a ${key}`);
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refused(`it is truncated or damaged: ${/** @type {Error} */ (error).message}`);
  }
}
