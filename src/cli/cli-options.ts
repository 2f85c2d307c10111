import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../base/errors.js';
import { parseDuration } from '../suite/cases/cases.js';

/** Adds the options that choose cases. */
export const addChoice = (command: Command): Command =>
  command
    .option('--env <name>', 'the environment, or "all" (default: the first one of the spec)')
    .option('--scenario <name>', 'only this scenario; repeatable', gather)
    .option('--set <name=value>', 'set a parameter; repeatable', collect)
    .option('--profile <name>', 'a profile of the spec')
    .option('--quick', 'same as --profile quick');

/** Who sends declared requests. */
export const playerOption = new Option(
  '--player <name>',
  "what sends declared requests (default: bench.toml's [run] player, or native)",
).choices(['javascript', 'native']);

/**
 * The profile that was asked for in either way.
 * @throws {UserError} two different ones
 */
export function profileOf({ quick, profile }: { quick?: boolean; profile?: string }): string | null {
  if (quick && profile && profile !== 'quick') {
    throw new UserError(`--quick is --profile quick, and --profile ${profile} was given too`);
  }
  return quick ? 'quick' : (profile ?? null);
}

/**
 * Reads an option that may be repeated.
 * @param text name=value
 */
export function collect(text: string, before?: Record<string, string>): Record<string, string> {
  const [, name, value] = text.match(/^([^=]+)=(.*)$/s) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write it like rate=1000.');
  return { ...before, [name]: value };
}

/** Reads an option that may be repeated, and has names only. */
const gather = (name: string, before: string[] = []): string[] => [...before, name];

/**
 * Reads an option that is a time.
 * @returns seconds
 */
export function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('Write it like 90m or 1h30m.');
  }
}

/** Makes the reader of an option that is a whole number. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value < 2 ** 32) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };
}
