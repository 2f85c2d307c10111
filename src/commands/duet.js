import { addChoice, playerOption, profileOf, wholeFrom } from '../cli-options.js';
import { UserError } from '../errors.js';
import { runDuet } from '../measure/duet/index.js';
import { loadSuite, systemNames } from '../suite.js';

/** @import { Command } from 'commander' */
/** @import { World } from '../world.js' */

/**
 * @param {Command} program
 * @param {World} world
 */
export function register(program, world) {
  addChoice(program.command('duet <base> [head-and-systems...]'))
    .summary('measure base and head at the same time: did this make us slower?')
    .description(
      'measure base and head at the same time; each is a commit, a folder or a URL. The base `kept` is the commit up to ' +
        'which duets are kept, or the commit before head',
    )
    .option('--blocks <n>', 'maximum number of blocks per case (default: 12)', wholeFrom(2))
    .option('--changed', 'only the systems affected by the change since base (a commit)')
    .option('--confirm', 'send load to environments that require confirmation')
    .option('--seed <n>', 'seed of the random orders of cases and sides', wholeFrom(0))
    .addOption(playerOption)
    .option('--json', 'print the result as one JSON object; progress goes to stderr')
    .action(async (base, words, { quick, profile, ...options }) => {
      const [head, systems] = partedAt(words, systemNames(loadSuite(world.cwd)));
      world.exitCode = await runDuet(
        { ...options, base, head, systems, profile: profileOf({ quick, profile }) },
        world,
      );
    });
}

/**
 * Tells the head from systems: the first word is one, unless it is a system's name; then head is the working tree.
 * @param {string[]} words
 * @param {string[]} known systems
 * @returns {[string | undefined, string[]]}
 */
function partedAt(words, known) {
  const [head, systems] =
    words.length > 0 && !known.includes(words[0]) ? [words[0], words.slice(1)] : [undefined, words];
  const unknown = systems.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`there is no system "${unknown}"`, { hint: `Known systems: ${known.join(', ')}.` });
  }
  return [head, systems];
}
