import { InvalidArgumentError, Option } from 'commander';
import { wholeFrom } from '../cli-options.js';
import { runCalibration } from '../measure/calibrate/index.js';
import { parseDuration } from '../spec/index.js';

/**
 * @param {import('commander').Command} program
 * @param {import('../world.js').World} world
 */
export function register(program, world) {
  program
    .command('calibrate [system]')
    .summary('measure how often a duet is wrong, and how small a change it finds')
    .description('measure how often a duet is wrong: the system against itself, and against itself with more work')
    .addOption(
      new Option('--for <duration>', 'begin no trial that would end later, such as 90m')
        .argParser(duration)
        .default(30 * 60, '30m'),
    )
    .option('--trials <n>', 'measure so many at the most', wholeFrom(1))
    .option('--only <condition>', 'same, same-busy or the name of a slowdown (default: what has the fewest trials)')
    .option('--confirm', 'load an environment that asks for confirmation')
    .action(async (system, { for: for_s, ...options }) => {
      world.exitCode = await runCalibration({ ...options, system, for_s }, world);
    });
}

/** @param {string} text @returns {number} seconds */
function duration(text) {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('Write it like 90m or 1h30m.');
  }
}
