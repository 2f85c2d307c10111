import type { Command } from 'commander';
import { UserError } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { printManifest } from '../../run/run/manifest.js';
import { runBenchmark } from '../../run/run/run-benchmark.js';
import { defaultRounds } from '../../suite/suite.js';
import { addChoice, duration, playerOption, profileOf, wholeFrom } from '../cli-options.js';

export function register(program: Command, world: World) {
  addChoice(program.command('run [system...]'))
    .description('measure, judge and print the result')
    .option(
      '--rounds <n>',
      `how often each case is measured (default: bench.toml's [run] rounds, or ${defaultRounds})`,
      wholeFrom(1),
    )
    .option('--baseline <version>', 'compare with a kept version')
    .addOption(playerOption)
    .option('--confirm', 'send load to environments that require confirmation')
    .option('--seed <n>', 'seed of the random order of cases', wholeFrom(0))
    .option('--manifest', "print a case's TestRun for k6-operator; measures nothing")
    .option('--version <name>', 'keep each case in this version as it ends')
    .option('--missing', 'measure only the cases that the version does not have')
    .option('--budget <time>', 'time budget, e.g. 90m: no case is started that would end later', duration)
    .option('--watch', 'show in a browser what is measured, as it happens')
    .option('--json', 'print the result as one JSON object; progress goes to stderr')
    .action(async (systems, { quick, profile, budget: budget_s, ...options }) => {
      if (options.missing && options.version === undefined) {
        throw new UserError('--missing needs the version that lacks something', {
          hint: 'For example: benchfolio run --version v1 --missing',
        });
      }
      if (options.version !== undefined && options.version === options.baseline) {
        throw new UserError(`--version and --baseline are both ${options.version}: it would be compared with itself`);
      }
      const runOptions = { ...options, budget_s, systems, profile: profileOf({ quick, profile }) };
      world.exitCode = await (options.manifest ? printManifest : runBenchmark)(runOptions, world);
    });
}
