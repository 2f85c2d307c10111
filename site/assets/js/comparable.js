/**
 * What must be the same for two records' numbers to be set side by side, as in reports/lib/compare/comparable.jq. Used when the
 * site is built and in the browser alike.
 * @typedef {{ definition: string, fingerprint: Record<string, any>, imported?: { format: string } }} ComparableRecord a record, or as much
 *   of one
 */

/** What of a fingerprint is looked at; the rest may differ. */
export const essentials = /** @type {const} */ (['cpu_model', 'cores', 'memory_bytes', 'runner', 'k6']);

/**
 * @param {ComparableRecord} before
 * @param {ComparableRecord} after
 * @returns {string | null} what is another one; null: comparable
 */
export const differenceOf = (before, after) =>
  toolDifferenceOf(before, after) ??
  (before.definition === after.definition ? null : 'another definition') ??
  machineDifferenceOf(before, after);

/**
 * The same for cases that are different ones on purpose.
 * @param {ComparableRecord} before
 * @param {ComparableRecord} after
 * @returns {string | null}
 */
export const placeDifferenceOf = (before, after) =>
  toolDifferenceOf(before, after) ?? machineDifferenceOf(before, after);

/** Each tool counts and times in its own way. @param {ComparableRecord} before @param {ComparableRecord} after */
const toolDifferenceOf = (before, after) =>
  before.imported?.format === after.imported?.format ? null : 'another tool';

/** @param {ComparableRecord} before @param {ComparableRecord} after */
function machineDifferenceOf(before, after) {
  const [m, n] = [before.fingerprint, after.fingerprint];
  const same =
    ['cpu_model', 'cores', 'runner'].every((key) => m[key] === n[key]) &&
    Math.abs(m.memory_bytes - n.memory_bytes) <= 0.05 * n.memory_bytes;
  if (!same) return 'another machine';
  return minor(m.k6) === minor(n.k6) ? null : 'another k6';
}

/** @param {unknown} version */
const minor = (version) => String(version).split('.').slice(0, 2).join('.');
