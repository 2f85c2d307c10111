import { relative } from 'node:path';
import { exitCodes, UserError } from '../errors.js';
import { writeJson } from '../io/files.js';
import { jq } from '../tools/jq.js';
import { comparisonProblem } from './schema.js';

/**
 * What comparison.json.jq works from.
 * @typedef {{ schema: 1, run: string | null, time: string, command: string | null, folder: string | null,
 *   baseline: string | null, head: string | null, compare: Record<string, any> | null, notes?: string[],
 *   cases: PlannedCase[] }} ComparisonPlan compare: bench.toml's; notes: what else to know of what is compared
 * @typedef {{ system: string, environment: string, scenario: string | null, case: string, values: Record<string, any>,
 *   status: string, reason: string | null, head: string | null, base: string | null, base_reason: string | null,
 *   baseline: string | null, series: string[], pair?: { alpha_spent: number, interleaved: string | null },
 *   compare?: Record<string, any> | null, changes?: object[] }} PlannedCase
 *   head, base and series are files; baseline: asked for; pair: they were measured at the same time, and alpha_spent: the part of
 *   alpha that judging them now spends; interleaved: why not concurrently; compare: gate, tolerances and alpha, where they
 *   are not head's own; changes: how head's benchmark differs from base's
 */

/**
 * Judges what a plan names.
 * @param {ComparisonPlan} plan
 * @param {string} file where to write it; jq reads it there
 * @param {{ reports?: string, root?: string }} [options] root: what the records' files are told from
 * @returns {Promise<any>} the comparison, as reports/schema/comparison.schema.json describes it
 * @throws {UserError} code 4: jq failed
 */
export async function judge(plan, file, { reports, root } = {}) {
  await writeJson(file, plan);
  const named = plan.cases.flatMap(({ head, base, series }) => [head, base, ...series]).filter((path) => path !== null);
  const comparison = await jq('comparison.json.jq', [file, ...new Set(named)], { reports });
  const problem = comparisonProblem(comparison);
  if (problem) throw new UserError(`comparison.json.jq prints no comparison: ${problem}`, { code: exitCodes.error });
  if (root === undefined) return comparison;
  const relativePath = (/** @type {string | null} */ path) => path && relative(root, path);
  return {
    ...comparison,
    cases: comparison.cases.map((/** @type {any} */ one) => ({
      ...one,
      record: relativePath(one.record),
      base_record: relativePath(one.base_record),
    })),
  };
}
