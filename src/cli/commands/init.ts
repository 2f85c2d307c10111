import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes } from '../../base/errors.js';
import { writeWhole } from '../../base/io/files.js';
import { lookForTool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { lookFor } from '../../init/detect.js';
import { filesFor, toWrite } from '../../init/files-to-write.js';
import { plannedText, writtenText } from '../../init/init-summary.js';
import { namesOf, placeOf } from '../../init/repository.js';
import { systemNames } from '../../suite/suite.js';

type InitOptions = { name?: string; url?: string; command?: string; port?: number; agents?: boolean; dryRun?: boolean };

/** Adds `benchfolio init`. */
export function register(program: Command, world: World) {
  program
    .command('init [name]')
    .summary('set up a repository: write bench.toml, a spec and workflows')
    .description(
      'set up a repository: write bench.toml, a spec of the service found here, workflows for pull requests and ' +
        'lines for .gitignore. It asks no questions and changes no existing file except .gitignore, and AGENTS.md where it is asked to',
    )
    .option('--name <name>', 'same as the argument (default: the name in package.json, otherwise of the folder)')
    .option('--command <command>', 'command that starts the service; $PORT stands for its port')
    .option('--port <n>', 'the port of a service that cannot listen on another one', portNumber)
    .option('--url <url>', 'URL of a service that already runs')
    .option('--agents', 'tell coding agents in AGENTS.md how to measure a change')
    .option('--dry-run', 'print what would be written, and write nothing')
    .action(async (name, options) => {
      world.exitCode = await init({ ...options, name: name ?? options.name }, world);
    });
}

/**
 * Writes what a suite begins with. A file that is there is left as it is, so that it can be said again and again.
 * @returns 0
 * @throws {UserError} what is given cannot be, or a file cannot be written
 */
export async function init(
  { name: givenName, dryRun = false, agents = false, ...given }: InitOptions,
  { cwd, stdout }: Pick<World, 'cwd' | 'stdout'>,
): Promise<number> {
  const repository = placeOf(cwd);
  const seen = lookFor(cwd, repository.top, given);
  const names = namesOf(seen.folder);
  const [name, title] = [givenName ?? names.name, givenName ?? names.title];
  const there = systemNames(repository);
  const add = givenName !== undefined || there.length === 0 || there.includes(name);
  const files = filesFor(repository, { name: add ? name : there[0], title, seen, add, agents });
  const repeat = [
    'init',
    ...(givenName === undefined ? [] : [givenName]),
    ...wordsFor(given),
    ...(agents ? ['--agents'] : []),
  ];
  if (!dryRun) for (const { file, text } of toWrite(files)) await writeWhole(file, text);
  const tools = (await Promise.all(['k6', 'hugo', 'jq'].map(lookForTool))).every((some) =>
    some.some(({ usable }) => usable),
  );
  const outcome = { repository, cwd, name: add ? name : there[0], seen, files, repeat, tools };
  stdout.write(dryRun ? plannedText(outcome) : writtenText(outcome));
  return exitCodes.pass;
}

const wordsFor = (given: Omit<InitOptions, 'name' | 'dryRun' | 'agents'>): string[] =>
  Object.entries(given).flatMap(([key, value]) => [`--${key}`, String(value)]);

function portNumber(text: string) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65536) return port;
  throw new InvalidArgumentError('It must be a port, from 1 to 65535.');
}
