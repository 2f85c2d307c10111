import { InvalidArgumentError } from 'commander';
import { UserError } from '../errors.js';
import { runBenchmark } from '../run/index.js';

/**
 * @param {import('commander').Command} program
 * @param {import('../cli.js').World} world
 */
export function register(program, world) {
  program
    .command('run [system...]')
    .description('measure, judge, and print the outcome')
    .option('--env <name>', 'the environment to run in, or "all" (default: the first of the spec)')
    .option('--scenario <name>', 'only this scenario')
    .option('--set <name=value>', 'give a parameter another value; may be repeated', collect, {})
    .option('--profile <name>', 'a profile of the spec')
    .option('--quick', 'the same as --profile quick')
    .option('--rounds <n>', 'how often each case is measured (default: bench.toml\'s [run] rounds, or 5)', wholeFrom(1))
    .option('--baseline <version>', 'compare with a version that was kept')
    .option('--confirm', 'load environments that ask for confirmation')
    .option('--seed <n>', 'repeat the random order of a run', wholeFrom(0))
    .option('--json', 'print the outcome as one JSON object; progress goes to stderr')
    .action(async (systems, { quick, profile, ...options }) => {
      if (quick && profile && profile !== 'quick') {
        throw new UserError(`--quick is --profile quick, and --profile ${profile} was given too`);
      }
      world.exitCode = await runBenchmark({ ...options, systems, profile: quick ? 'quick' : profile ?? null }, world);
    });
}

/**
 * @param {string} text name=value
 * @param {Record<string, string>} before
 * @returns {Record<string, string>}
 */
function collect(text, before) {
  const [, name, value] = text.match(/^([^=]+)=(.*)$/s) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [name]: value };
}

/**
 * @param {number} least
 * @returns {(text: string) => number}
 */
function wholeFrom(least) {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value < 2 ** 32) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };
}
