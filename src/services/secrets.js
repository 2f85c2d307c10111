import { variablesOf } from '../placeholders.js';

/** Shorter values are not worth hiding, and hiding them ("1", "on") would make a log unreadable. */
const shortest = 4;

/**
 * The values of the environment variables that a definition asks for by `${env.NAME}`: never to be written down.
 * @param {unknown} definition anything made of lists, tables and strings
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} the longest first, so that one that holds another goes whole
 */
export function secretsOf(definition, env) {
  const values = variablesOf(definition).map((name) => env[name] ?? '');
  return values.filter((value) => value.length >= shortest).sort((a, b) => b.length - a.length);
}
