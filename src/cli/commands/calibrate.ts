import { type Command, Option } from 'commander';
import type { World } from '../../base/world.js';
import { runCalibration } from '../../run/calibrate/run-calibration.js';
import { duration, wholeFrom } from '../cli-options.js';

export function register(program: Command, world: World) {
  program
    .command('calibrate [system]')
    .summary('measure how often a duet is wrong, and what it finds')
    .description(
      'measure false positives and power of a duet, with all of its lanes: A/A trials, and A/B trials with known effect',
    )
    .addOption(
      new Option('--budget <time>', 'time budget, e.g. 90m: no trial is started that would end later')
        .argParser(duration)
        .default(30 * 60, '30m'),
    )
    .option('--trials <n>', 'maximum number of trials', wholeFrom(1))
    .option(
      '--only <condition>',
      'aa, aa-noisy, aa-checkouts or the name of a kind of change (default: the condition with the fewest trials of its share)',
    )
    .option('--confirm', 'send load to an environment that requires confirmation')
    .action(async (system, { budget: budget_s, ...options }) => {
      world.exitCode = await runCalibration({ ...options, system, budget_s }, world);
    });
}
