import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { UserError } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { compareSides } from '../../records/compare-records.js';
import { findSide } from '../../records/find-side.js';
import type { ReportFormat } from '../../records/print.js';
import { printReport } from '../../records/records.js';
import { olderRunNote } from '../../records/runs.js';
import { isInSuite, loadSuite } from '../../suite/suite.js';

export function register(program: Command, world: World) {
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
 * @returns the exit code of the outcome
 * @throws {UserError} a word names no records
 */
export async function compare(
  {
    base,
    head,
    systems = [],
    env,
    format,
  }: { base: string; head: string; systems?: string[]; env?: string; format?: ReportFormat },
  world: World,
): Promise<number> {
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

/** @param text "v1:v2", or one name for both */
function environmentsOf(text: string | undefined): [string, string] | null {
  if (text === undefined) return null;
  const [base, head = base, more] = text.split(':');
  if (base && head && more === undefined) return [base, head];
  throw new UserError(`--env ${text} must be like v1:v2: the environment of base and that of head`);
}
