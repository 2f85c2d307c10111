import { styleText } from 'node:util';
import { jqOver } from '../tools/jq.js';

/** @import { Comparison } from '../../reports/schema/types.d.ts' */
/** @typedef {'text' | 'markdown' | 'json'} ReportFormat */

const programs = { text: 'report.txt.jq', markdown: 'report.md.jq' };

/** Of the first word of the report. */
const colors = /** @type {const} */ ({
  pass: 'green',
  fail: 'red',
  error: 'red',
  invalid: 'yellow',
  inconclusive: 'yellow',
});

/**
 * Prints a comparison to the world's stdout.
 * @param {{ comparison: Comparison, format?: ReportFormat, reports?: string }} given reports: a folder whose jq programs
 *   shadow ours
 * @param {Pick<import('../world.js').World, 'stdout'>} world
 * @returns {Promise<void>}
 * @throws {import('../errors.js').UserError} code 4: jq failed
 */
export async function printReport({ comparison, format = 'text', reports }, { stdout }) {
  if (format === 'json') {
    stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
    return;
  }
  const text = (await jqOver(programs[format], [comparison], { raw: true, reports })).trimEnd();
  /** @param {string} word */
  const paint = (word) =>
    styleText('bold', styleText(colors[comparison.verdict], word, { stream: stdout }), { stream: stdout });
  stdout.write(`${format === 'text' && stdout.isTTY ? text.replace(/^\w+:/, paint) : text}\n`);
}
