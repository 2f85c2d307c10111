import { existsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/io/files.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { alone } from '../../run/generator/alone.js';
import { neededVariables, needsAddress } from '../../run/generator/pack-case.js';
import { playPart } from '../../run/generator/play-part.js';
import { type Archive, readArchive } from '../../run/generator/read-archive.js';
import { endedBySignal, framedFailure, framedResults, resultFiles } from '../../run/generator/results.js';
import { fingerprintOf } from '../../run/session/fingerprint.js';
import { interruptedCode } from '../../run/session/session.js';
import { parseDuration } from '../../suite/cases/cases.js';
import { wholeFrom } from '../cli-options.js';

type Part = { index: number; of: number };

/** startTimeout: seconds */
type GenerateOptions = {
  part: Part;
  output: string;
  round: number;
  roundPart: number;
  seed?: string;
  url?: string;
  paused: boolean;
  address?: string;
  startTimeout: number;
  printResults: boolean;
};

/** Of the memory that is free, the part that k6 may take: nothing else is measured here. */
const memoryShare = 0.8;

export function register(program: Command, world: World) {
  program
    .command('generate <archive>')
    .summary('play one part of an archive on this machine')
    .description('play one part of what `benchfolio archive` packed; `benchfolio merge` makes a record of all parts')
    .requiredOption('--output <folder>', 'where the results go: an empty folder, or a new one')
    .option('--part <i/n>', 'which part of the load', partOf, { index: 1, of: 1 })
    .option('--url <url>', "where requests go (default: BASE_URL, or the case's own address)")
    .option('--round <n>', 'which round this is', wholeFrom(1), 1)
    .option('--round-part <n>', 'which part of a round that is cut', wholeFrom(1), 1)
    .option('--seed <text>', "seed of random values: the same for all parts (default: the archive's)")
    .option('--paused', 'load all, and wait until k6 is resumed at its address', false)
    .option('--address <host:port>', 'where k6 takes commands')
    .option('--start-timeout <duration>', 'how long to wait to be resumed', durationOf, 600)
    .option('--print-results', 'print the results, as one framed text', false)
    .action(async (archive, options) => {
      world.exitCode = await generate(archive, options, world);
    });
}

function partOf(text: string): Part {
  const [, index, of] = (text.match(/^(\d+)\/(\d+)$/) ?? []).map(Number);
  if (!(index >= 1 && index <= of)) throw new InvalidArgumentError('Write it like 2/4.');
  return { index, of };
}

/** @returns seconds */
function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('Write it like 90s or 10m.');
  }
}

/**
 * Plays one part of an archive, and leaves a folder that `merge` takes.
 * @returns 0, or 130 when it was interrupted
 * @throws {UserError} we cannot run it, or k6 failed
 */
export async function generate(file: string, options: GenerateOptions, world: World): Promise<number> {
  const say = (reason: string) => {
    if (options.printResults) world.stdout.write(`${framedFailure(reason)}\n`);
  };
  try {
    const archive = await readArchive(resolve(world.cwd, file));
    refuseUnplayable(archive, options, world.env);
    if (await playHere(archive, options, world)) return exitCodes.pass;
    say(endedBySignal);
    return interruptedCode;
  } catch (error) {
    say((error as Error).message);
    throw error;
  }
}

/** @returns false: it was interrupted */
async function playHere(archive: Archive, options: GenerateOptions, world: World): Promise<boolean> {
  if (process.platform !== 'linux') {
    throw new UserError('`generate` needs Linux: it samples k6 by /proc', { code: exitCodes.error });
  }
  const native = archive.benchCase.player === 'native';
  const k6 = await findTool('k6', { native });
  if (native && !k6.native) {
    throw new UserError(`${archive.file} is for the native player, and ${k6.path} has none`, {
      code: exitCodes.error,
      hint: 'Build a k6 with it, `npx benchfolio tools`, or pack the case with --player javascript.',
    });
  }
  const folder = emptyFolder(resolve(world.cwd, options.output));
  const {
    part: { index, of },
    round,
    roundPart,
    seed,
    paused,
    address = null,
    startTimeout,
  } = options;
  const chosenPart = {
    index,
    of,
    round,
    part: roundPart,
    seed: seed ?? `${archive.content.run.seed} round-${round}`,
    paused,
    address,
    start_timeout_s: startTimeout,
  };
  const env = { ...world.env, ...(options.url !== undefined && { BASE_URL: options.url }) };
  const memory_bytes = memoryShare * Math.min(freemem(), process.availableMemory());
  const to = options.printResults ? world.stdout : world.stderr;
  const on = { stopping: () => void world.stderr.write('stopping\n'), code: interruptedCode };
  const whole = await alone(folder, on, (owner) =>
    playPart(archive, chosenPart, {
      run: { ...owner, folder, root: folder, env, k6: k6.path, memory_bytes, secrets: [] },
      k6_version: k6.version,
      machine: fingerprintOf(world.env, k6.version),
      print: (line) => void to.write(`${line}\n`),
    }),
  );
  if (!whole) return false;
  if (options.printResults) for (const line of framedResults(folder)) world.stdout.write(`${line}\n`);
  world.stderr.write(`part ${index} of ${of}: ${folder}\n`);
  return true;
}

/** @throws {UserError} */
function refuseUnplayable(
  { file, benchCase }: Archive,
  { part, roundPart, url }: GenerateOptions,
  env: NodeJS.ProcessEnv,
) {
  const users = benchCase.load.users;
  if (part.of > users) {
    throw new UserError(`${part.of} parts share ${users} users: some would have none`, {
      hint: `Cut it into ${users} parts at the most.`,
    });
  }
  if (roundPart > benchCase.parts) {
    throw new UserError(`a round of ${file} has ${benchCase.parts} part(s), and no part ${roundPart}`);
  }
  if (needsAddress(benchCase) && url === undefined && !env.BASE_URL) {
    const why = benchCase.confirm === null ? 'its address is known only where it runs' : benchCase.confirm;
    throw new UserError(`${file} does not say where requests go: ${why}`, {
      hint: 'Say it with --url http://<host>:<port>.',
    });
  }
  const missing = neededVariables(benchCase).filter((name) => env[name] === undefined);
  if (missing.length > 0) {
    throw new UserError(`${file} asks for environment variables that are not set: ${missing.join(', ')}`, {
      hint: 'Secrets are in no archive: set them where the load is made.',
    });
  }
}

/** @throws {UserError} there are results in it */
function emptyFolder(folder: string): string {
  const there = resultFiles.find((name) => existsSync(join(folder, name)));
  if (there === undefined) return makeFolder(folder);
  throw new UserError(`${folder} has results of another time in it: ${there}`, {
    hint: 'Choose a folder that is empty.',
  });
}
