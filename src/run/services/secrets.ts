import { variablesOf } from '../../suite/run-placeholders.js';

/** Shorter values are not worth hiding, and hiding them ("1", "on") would make a log unreadable. */
const shortest = 4;

/**
 * The values of the environment variables that a definition asks for by `${env.NAME}`: never to be written down.
 * @param definition anything made of lists, tables and strings
 * @param captured secrets that steps captured
 * @returns the longest first, so that one that holds another goes whole
 */
export function secretsOf(definition: unknown, env: NodeJS.ProcessEnv, captured: readonly string[] = []): string[] {
  const values = [...variablesOf(definition).map((name) => env[name] ?? ''), ...captured];
  return [...new Set(mostSecrets(values.flatMap(partsOf)))].sort((a, b) => b.length - a.length);
}

/** A line of a value that is shorter is found in many a text. */
const shortestLine = 16;

/**
 * What of a value may be printed by itself: without the blanks around it, each of its lines, since programs indent and wrap keys,
 * and the user's part of an address.
 */
function partsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [
    value,
    value.trim(),
    ...(lines.length > 1 ? lines.filter((line) => line.length >= shortestLine) : []),
    ...(/:\/\/[^/?#\s]*@/.test(value) ? userOf(value.trim()) : []),
  ];
}

/** @returns its password, as it stands and decoded, and with the user's name */
function userOf(address: string): string[] {
  const [, user = ''] = /:\/\/([^/?#\s]*)@/.exec(address) ?? [];
  const password = user.includes(':') ? user.slice(user.indexOf(':') + 1) : user;
  return [...new Set([user, password, decoded(password)])];
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Those that are worth hiding. */
export const mostSecrets = (values: readonly string[]): string[] => values.filter((value) => value.length >= shortest);

/**
 * The environment variables that a definition asks for and whose values are too short to be hidden.
 * @returns their names; an empty value tells nothing
 */
export const exposedVariables = (definition: unknown, env: NodeJS.ProcessEnv): string[] =>
  variablesOf(definition).filter((name) => env[name] && env[name].length < shortest);

/**
 * Says so, before anything is measured.
 * @returns null: there is none
 */
export const exposedNote = (names: readonly string[]): string | null =>
  names.length
    ? `${names.join(', ')}: fewer than ${shortest} characters, which are not hidden in logs, records and pages: take a longer one if it is a secret`
    : null;
