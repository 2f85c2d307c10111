import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command, CommanderError, Help, type HelpConfiguration } from 'commander';
import { exitCodes, UserError } from '../base/errors.js';
import { refuseDead } from '../base/io/answering.js';
import { diskError } from '../base/io/files.js';
import { packageVersion } from '../base/tools/find-tool.js';
import { visibly, type World } from '../base/world.js';

/** In the order of use; each is a file in commands/. */
export const verbs = [
  'init',
  'run',
  'find',
  'duet',
  'calibrate',
  'replay',
  'report',
  'comment',
  'keep',
  'compare',
  'site',
  'check',
  'archive',
  'generate',
  'merge',
  'cluster-role',
  'import',
  'export',
  'docs',
  'doctor',
  'clean',
  'tools',
];

/**
 * The program: reads the arguments, runs one verb, says what went wrong.
 * @returns the exit code
 */
export async function main(args: string[], given: World): Promise<number> {
  const world = { ...given, stdout: visibly(given.stdout), stderr: visibly(given.stderr) };
  const program = new Command('benchfolio')
    .description('Measures services under load and publishes what it found.')
    .version(packageVersion())
    .enablePositionalOptions() // import has a --version of its own
    .showSuggestionAfterError()
    .configureHelp(onOneScreen)
    .addHelpText('after', 'benchfolio <command> --help says more.')
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: (text, write) => write(`benchfolio: ${text.replace(/^error: /, '')}`),
    })
    .exitOverride();
  for (const verb of await verbsFor(args)) verb.register(program, world);
  for (const command of program.commands) command.copyInheritedSettings(program).configureHelp({});
  try {
    await refuseDead([world.cwd, world.env.HOME || homedir(), world.env.XDG_CACHE_HOME]);
    await endDeadRun(world);
    await program.parseAsync(args, { from: 'user' });
    return world.exitCode ?? exitCodes.pass;
  } catch (error) {
    return explain(error, world);
  }
}

/** All verbs, a line each, fit a terminal of 80 times 30. */
const onOneScreen: HelpConfiguration = {
  commandUsage: () => 'benchfolio <command>',
  visibleOptions: () => [],
  visibleCommands: (program) =>
    Help.prototype.visibleCommands.call(new Help(), program).filter((command) => command.name() !== 'help'),
  subcommandTerm: (command) => command.name(),
};

/** Only the verb that is asked for is loaded: the others' libraries (Vega, ajv) take longer to load than a check to run. */
async function verbsFor(args: string[]): Promise<{ register: (program: Command, world: World) => void }[]> {
  const verb = args.find((arg) => !arg.startsWith('-'));
  const names = verb && verbs.includes(verb) && args[0] === verb ? [verb] : verbs;
  return Promise.all(names.map((name) => import(`./commands/${name}.js`)));
}

/** Ends what a dead run left behind in the suite around. Only where there is a lock anything is loaded for it. */
async function endDeadRun({ cwd, stderr, env }: World) {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const bench = join(folder, '.bench');
    if (existsSync(join(bench, 'lock'))) {
      const leftovers = await import('../run/session/leftovers.js');
      return leftovers.endDeadRun(bench, (text) => stderr.write(`${text}\n`), env);
    }
    if (folder === dirname(folder)) return;
  }
}

/** @returns the exit code */
function explain(thrown: unknown, world: World): number {
  const error = diskError(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
  if (error instanceof UserError) {
    world.stderr.write(`benchfolio: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`);
    return error.code;
  }
  world.stderr.write(
    `benchfolio: this is a bug in benchfolio; please report it with these lines\n${
      error instanceof Error ? error.stack : String(error)
    }\n`,
  );
  return exitCodes.error;
}
