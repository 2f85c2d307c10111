import { variablesOf } from '../../suite/run-placeholders.js';

/** Shorter values are not worth hiding, and hiding them ("1", "on") would make a log unreadable. */
const shortest = 4;

/**
 * The values of the environment variables that a definition asks for by `${env.NAME}`: never to be written down.
 * @param {unknown} definition anything made of lists, tables and strings
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [captured] secrets that steps captured
 * @returns {string[]} the longest first, so that one that holds another goes whole
 */
export function secretsOf(definition, env, captured = []) {
  const values = [...variablesOf(definition).map((name) => env[name] ?? ''), ...captured];
  return [...new Set(mostSecrets(values.flatMap(partsOf)))].sort((a, b) => b.length - a.length);
}

/** A line of a value that is shorter is found in many a text. */
const shortestLine = 16;

/**
 * What of a value may be printed by itself: without the blanks around it, each of its lines, since programs indent and wrap keys,
 * and the user's part of an address.
 * @param {string} value
 * @returns {string[]}
 */
function partsOf(value) {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [
    value,
    value.trim(),
    ...(lines.length > 1 ? lines.filter((line) => line.length >= shortestLine) : []),
    ...(/:\/\/[^/?#\s]*@/.test(value) ? userOf(value.trim()) : []),
  ];
}

/** @param {string} address @returns {string[]} its password, as it stands and decoded, and with the user's name */
function userOf(address) {
  const [, user = ''] = /:\/\/([^/?#\s]*)@/.exec(address) ?? [];
  const password = user.includes(':') ? user.slice(user.indexOf(':') + 1) : user;
  return [...new Set([user, password, decoded(password)])];
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Those that are worth hiding. @param {readonly string[]} values @returns {string[]} */
export const mostSecrets = (values) => values.filter((value) => value.length >= shortest);

/**
 * The environment variables that a definition asks for and whose values are too short to be hidden.
 * @param {unknown} definition
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} their names; an empty value tells nothing
 */
export const exposedVariables = (definition, env) =>
  variablesOf(definition).filter((name) => env[name] && env[name].length < shortest);

/**
 * Says so, before anything is measured.
 * @param {readonly string[]} names
 * @returns {string | null} null: there is none
 */
export const exposedNote = (names) =>
  names.length
    ? `${names.join(', ')}: fewer than ${shortest} characters, which are not hidden in logs, records and pages: take a longer one if it is a secret`
    : null;
