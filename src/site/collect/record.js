import { createHash } from 'node:crypto';
import { parseRecord, readText } from '../../records/read.js';

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
 * @typedef {import('../../records/versions.js').Place} Place
 */

/**
 * Reads a record for its page.
 * @param {Place & { file: string }} found file: absolute
 * @param {boolean} kept
 * @returns {Entry}
 * @throws {import('../../records/read.js').FileProblem} it is no record, or that of another place
 */
export function readEntry({ file, ...place }, kept) {
  const text = readText(file);
  return {
    record: /** @type {any} */ (parseRecord(text, file, place)),
    text,
    digest: createHash('sha256').update(text).digest('hex'),
    kept,
    lastRun: !kept,
    ...place,
    url: urlOf(place),
  };
}

/** @param {Place} place */
const urlOf = ({ version, system, environment, case: name }) => `versions/${version}/${system}/${environment}/${name}`;
