import { isColoured } from '../color.js';
import { jqOver } from '../tools/jq.js';

/** @typedef {'text' | 'markdown' | 'json'} ReportFormat */

const programs = { text: 'report.txt.jq', markdown: 'report.md.jq' };

/** Terminal codes: what the first word of the report says. */
const colours = new Map([
  ['pass', 32],
  ['fail', 31],
  ['error', 31],
  ['invalid', 33],
  ['inconclusive', 33],
]);

/**
 * Prints a comparison to the world's stdout.
 * @param {{ comparison: any, format?: ReportFormat, reports?: string }} given reports: a folder whose jq programs shadow ours
 * @param {Pick<import('../world.js').World, 'stdout' | 'env'>} world
 * @returns {Promise<void>}
 * @throws {import('../errors.js').UserError} code 4: jq failed
 */
export async function printReport({ comparison, format = 'text', reports }, world) {
  if (format === 'json') {
    world.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
    return;
  }
  const text = (await jqOver(programs[format], [comparison], { raw: true, reports })).trimEnd();
  world.stdout.write(
    `${format === 'text' && isColoured(world.stdout, world.env) ? coloured(text, comparison.verdict) : text}\n`,
  );
}

/** @param {string} text @param {string} verdict */
const coloured = (text, verdict) => text.replace(/^\w+:/, `\x1b[1;${colours.get(verdict) ?? 0}m$&\x1b[0m`);
