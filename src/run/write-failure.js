import { join } from 'node:path';
import { writeJson } from './files.js';
import { redact } from './secrets.js';

/**
 * Writes down why a case has no numbers, without secrets.
 * @param {string} folder the case's
 * @param {import('./failure.js').CaseFailure} failure
 * @param {readonly string[]} secrets
 * @returns {Promise<import('./failure.js').FailureRecord>} what failure.json holds
 */
export async function writeFailure(folder, failure, secrets) {
  const clean = (/** @type {string | null} */ text) => text && redact(text, secrets);
  const { code, reason, detail, log_tail } = failure.record();
  const written = { code, reason: redact(reason, secrets), detail: clean(detail), log_tail: clean(log_tail) };
  await writeJson(join(folder, 'failure.json'), written);
  return written;
}
