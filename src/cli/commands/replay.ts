import { type Command, InvalidArgumentError, Option } from 'commander';
import type { World } from '../../base/world.js';
import { printCalibration } from '../../records/calibration/calibration.js';
import { defaultSystems, loadSuite } from '../../suite/suite.js';
import { wholeFrom } from '../cli-options.js';

export function register(program: Command, world: World) {
  program
    .command('replay [system]')
    .summary('judge the trials of `calibrate` by another rule')
    .description('judge the trials of `calibrate` by another rule')
    .option('--tolerance <ratio>', 'equivalence margin: 0.02 is 2 %', ratio)
    .option('--alpha <ratio>', 'family-wise false-positive rate of a comparison: 0.01 is 1 %', budget)
    .option('--gate <metrics>', 'the gated metrics, separated by commas', (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .option('--blocks <n>', 'judge as if a duet had this many blocks', wholeFrom(2))
    .option('--markdown', 'print what was found as Markdown, for a README')
    .addOption(new Option('--json', 'print the result as one JSON object').conflicts('markdown'))
    .action(async (system, rule) => {
      const suite = loadSuite(world.cwd);
      await printCalibration(suite, system ?? defaultSystems(suite)[0], rule, world);
    });
}

function budget(text: string) {
  if (ratio(text) > 0) return ratio(text);
  throw new InvalidArgumentError('A budget of 0 allows no decision: it must be more than 0.');
}

function ratio(text: string) {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < 1) return value;
  throw new InvalidArgumentError('It must be a share, such as 0.02.');
}
