import type { Command } from 'commander';
import { UserError } from '../../base/errors.js';
import { askGit } from '../../base/tools/git.js';
import type { World } from '../../base/world.js';
import { runDuet } from '../../run/duet/run-duet.js';
import { loadSuite, systemNames } from '../../suite/suite.js';
import { addChoice, playerOption, profileOf, wholeFrom } from '../cli-options.js';

export function register(program: Command, world: World) {
  addChoice(program.command('duet <base> [head-and-systems...]'))
    .summary('measure base and head at the same time: did this make us slower?')
    .description(
      'measure base and head at the same time; each is a commit, a URL, or a folder written as a path (./name). The base `kept` ' +
        'is the commit up to which duets are kept, or the commit before head',
    )
    .option('--blocks <n>', 'maximum number of blocks per case (default: 24)', wholeFrom(2))
    .option('--changed', 'only the systems affected by the change since base (a commit)')
    .option('--confirm', 'send load to environments that require confirmation')
    .option('--seed <n>', 'seed of the random orders of cases and sides', wholeFrom(0))
    .addOption(playerOption)
    .option('--json', 'print the result as one JSON object; progress goes to stderr')
    .action(async (base, words, { quick, profile, ...options }) => {
      const suite = loadSuite(world.cwd);
      const [head, systems] = partedAt(words, systemNames(suite), await isCommit(words[0], suite.root));
      world.exitCode = await runDuet(
        { ...options, base, head, systems, profile: profileOf({ quick, profile }) },
        world,
      );
    });
}

const isCommit = async (word: string | undefined, root: string) =>
  word !== undefined &&
  (await askGit(root)('rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`)) !== null;

/**
 * Tells the head from systems: the first word is one, unless it is a system's name; then head is the working tree. A pull request
 * can add a system called HEAD.
 * @param known systems
 * @param isCommit the first word names one, too
 * @throws {UserError} the first word can be meant in two ways, or a system is not there
 */
function partedAt(words: string[], known: string[], isCommit: boolean): [string | undefined, string[]] {
  if (isCommit && known.includes(words[0])) {
    throw new UserError(`"${words[0]}" is a commit, and a system`, {
      hint: `Name head before it, as . for the working tree: benchfolio duet <base> . ${words[0]}. A commit can be written by its number.`,
    });
  }
  const [head, systems] =
    words.length > 0 && !known.includes(words[0]) ? [words[0], words.slice(1)] : [undefined, words];
  const unknown = systems.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`there is no system "${unknown}"`, { hint: `Known systems: ${known.join(', ')}.` });
  }
  return [head, systems];
}
