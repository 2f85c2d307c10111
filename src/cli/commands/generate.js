import { existsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/io/files.js';
import { findTool } from '../../base/tools/find-tool.js';
import { alone } from '../../run/generator/alone.js';
import { neededVariables, needsAddress } from '../../run/generator/pack-case.js';
import { playPart } from '../../run/generator/play-part.js';
import { readArchive } from '../../run/generator/read-archive.js';
import { endedBySignal, framedFailure, framedResults, resultFiles } from '../../run/generator/results.js';
import { fingerprintOf } from '../../run/session/fingerprint.js';
import { interruptedCode } from '../../run/session/session.js';
import { parseDuration } from '../../suite/cases/cases.js';
import { wholeFrom } from '../cli-options.js';

/** @import { Command } from 'commander' */
/** @import { Archive } from '../../run/generator/read-archive.js' */
/** @import { World } from '../../base/world.js' */

/**
 * @typedef {{ index: number, of: number }} Part
 * @typedef {{ part: Part, output: string, round: number, roundPart: number, seed?: string, url?: string, paused: boolean,
 *   address?: string, startTimeout: number, printResults: boolean }} GenerateOptions startTimeout: seconds
 */

/** Of the memory that is free, the part that k6 may take: nothing else is measured here. */
const memoryShare = 0.8;

/**
 * @param {Command} program
 * @param {World} world
 */
export function register(program, world) {
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

/** @param {string} text @returns {Part} */
function partOf(text) {
  const [, index, of] = (text.match(/^(\d+)\/(\d+)$/) ?? []).map(Number);
  if (!(index >= 1 && index <= of)) throw new InvalidArgumentError('Write it like 2/4.');
  return { index, of };
}

/** @param {string} text @returns {number} seconds */
function durationOf(text) {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('Write it like 90s or 10m.');
  }
}

/**
 * Plays one part of an archive, and leaves a folder that `merge` takes.
 * @param {string} file
 * @param {GenerateOptions} options
 * @param {World} world
 * @returns {Promise<number>} 0, or 130 when it was interrupted
 * @throws {UserError} we cannot run it, or k6 failed
 */
export async function generate(file, options, world) {
  const say = (/** @type {string} */ reason) => {
    if (options.printResults) world.stdout.write(`${framedFailure(reason)}\n`);
  };
  try {
    const archive = await readArchive(resolve(world.cwd, file));
    refuseUnplayable(archive, options, world.env);
    if (await playHere(archive, options, world)) return exitCodes.pass;
    say(endedBySignal);
    return interruptedCode;
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    throw error;
  }
}

/**
 * @param {Archive} archive
 * @param {GenerateOptions} options
 * @param {World} world
 * @returns {Promise<boolean>} false: it was interrupted
 */
async function playHere(archive, options, world) {
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

/**
 * @param {Archive} archive
 * @param {GenerateOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError}
 */
function refuseUnplayable({ file, benchCase }, { part, roundPart, url }, env) {
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

/** @param {string} folder @returns {string} @throws {UserError} there are results in it */
function emptyFolder(folder) {
  const there = resultFiles.find((name) => existsSync(join(folder, name)));
  if (there === undefined) return makeFolder(folder);
  throw new UserError(`${folder} has results of another time in it: ${there}`, {
    hint: 'Choose a folder that is empty.',
  });
}
