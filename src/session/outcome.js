import { join } from 'node:path';
import { printReport, reduceRun } from '../records/index.js';

/**
 * Reduces and judges what was measured, and prints the outcome.
 * @param {import('../suite.js').Suite} suite
 * @param {{ runDir: string, baseline?: string, json?: boolean }} asked json: print comparison.json rather than text
 * @param {import('../world.js').World} world
 * @returns {Promise<number>} the exit code of comparison.json
 * @throws {import('../errors.js').UserError} code 4: jq is missing or failed, or the disk is full
 */
export async function conclude(suite, { runDir, baseline, json = false }, world) {
  const { comparison } = await reduceRun({ suite, runDir, baseline });
  await printReport({ comparison, format: json ? 'json' : 'text', reports: join(suite.root, 'reports') }, world);
  return comparison.exit;
}
