import { type Command, InvalidArgumentError } from 'commander';
import type { World } from '../../base/world.js';
import { runFind } from '../../run/find/run-find.js';
import { longestProbe_s } from '../../run/find/too-short.js';
import { parseDuration } from '../../suite/cases/cases.js';
import { addChoice, playerOption, profileOf, wholeFrom } from '../cli-options.js';

export function register(program: Command, world: World) {
  addChoice(program.command('find [system]'))
    .summary('find the capacity: the highest load that meets the thresholds')
    .description('find the capacity of a scenario, the highest load that meets its thresholds (a breakpoint test)')
    .option('--from <load>', "first load, in iterations/s or users (default: the scenario's own)", positive)
    .option('--max <load>', 'maximum load (default: 100000)', positive)
    .option(
      '--probe <duration>',
      'how long each load is measured (default: 5s); longer is stricter, because queues grow',
      seconds,
    )
    .option('--precision <share>', 'relative precision at which the search stops (default: 0.02)', share)
    .option('--repeats <n>', 'how often the edge is searched (default: 5)', wholeFrom(1))
    .option('--rounds <n>', 'how often the load below the capacity is measured (default: 3)', wholeFrom(1))
    .addOption(playerOption)
    .option('--confirm', 'send load to an environment that requires confirmation')
    .option('--json', 'print the result as one JSON object; progress goes to stderr')
    .action(async (system, { quick, profile, probe: probe_s, ...options }) => {
      world.exitCode = await runFind({ ...options, system, probe_s, profile: profileOf({ quick, profile }) }, world);
    });
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1e6) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

function share(text: string): number {
  const value = Number(text);
  if (value >= 0.001 && value <= 0.5) return value;
  throw new InvalidArgumentError('It must be a share from 0.001 to 0.5.');
}

function seconds(text: string): number {
  try {
    const value = parseDuration(text);
    if (value >= 1 && value <= longestProbe_s) return value;
  } catch {
    /* said below */
  }
  throw new InvalidArgumentError('It must be a duration from 1s to 10m.');
}
