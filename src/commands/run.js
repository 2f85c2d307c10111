import { addChoice, profileOf, wholeFrom } from '../cli-options.js';
import { runBenchmark } from '../measure/run/index.js';

/**
 * @param {import('commander').Command} program
 * @param {import('../world.js').World} world
 */
export function register(program, world) {
  addChoice(program.command('run [system...]'))
    .description('measure, judge, and print the outcome')
    .option('--rounds <n>', "how often each case is measured (default: bench.toml's [run] rounds, or 5)", wholeFrom(1))
    .option('--baseline <version>', 'compare with a version that was kept')
    .option('--confirm', 'load environments that ask for confirmation')
    .option('--seed <n>', 'repeat the random order of a run', wholeFrom(0))
    .option('--json', 'print the outcome as one JSON object; progress goes to stderr')
    .action(async (systems, { quick, profile, ...options }) => {
      world.exitCode = await runBenchmark({ ...options, systems, profile: profileOf({ quick, profile }) }, world);
    });
}
