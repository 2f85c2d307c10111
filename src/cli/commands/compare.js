import { join } from 'node:path';
import { Option } from 'commander';
import { UserError } from '../../base/errors.js';
import { compareSides } from '../../records/compare-records.js';
import { findSide } from '../../records/find-side.js';
import { printReport } from '../../records/records.js';
import { olderRunNote } from '../../records/runs.js';
import { isInSuite, loadSuite } from '../../suite/suite.js';

/** @import { Command } from 'commander' */
/** @import { ReportFormat } from '../../records/print.js' */
/** @import { World } from '../../base/world.js' */

/**
 * @param {Command} program
 * @param {World} world
 */
export function register(program, world) {
  program
    .command('compare <base> <head> [system...]')
    .summary('compare records: versions, runs, files or folders; measures nothing')
    .description('compare records: versions, runs (an id or "latest"), files or folders; measures nothing')
    .option('--env <base:head>', 'compare one environment with another, like v1:v2')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'))
    .action(async (base, head, systems, options) => {
      world.exitCode = await compare({ base, head, systems, ...options }, world);
    });
}

/**
 * Compares what two words name, and prints how it came out.
 * @param {{ base: string, head: string, systems?: string[], env?: string, format?: ReportFormat }} options
 * @param {World} world
 * @returns {Promise<number>} the exit code of the outcome
 * @throws {UserError} a word names no records
 */
export async function compare({ base, head, systems = [], env, format }, world) {
  const suite = isInSuite(world.cwd) ? loadSuite(world.cwd) : null;
  const where = { cwd: world.cwd, suite };
  const [before, after] = [await findSide(base, where), await findSide(head, where)];
  if (suite && [base, head].includes('latest')) world.stderr.write(olderRunNote(suite));
  const command = ['npx benchfolio compare', base, head, ...systems, ...(env ? ['--env', env] : [])].join(' ');
  const comparison = await compareSides(before, after, {
    ...where,
    systems,
    environments: environmentsOf(env),
    command,
  });
  await printReport({ comparison, format, reports: suite ? join(suite.root, 'reports') : undefined }, world);
  return comparison.exit;
}

/**
 * @param {string | undefined} text "v1:v2", or one name for both
 * @returns {[string, string] | null}
 */
function environmentsOf(text) {
  if (text === undefined) return null;
  const [base, head = base, more] = text.split(':');
  if (base && head && more === undefined) return [base, head];
  throw new UserError(`--env ${text} must be like v1:v2: the environment of base and that of head`);
}
