import { quoted } from '../../base/io/shell.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseSelection } from './select-cases.js' */

/**
 * @typedef {CaseSelection & { rounds: number, seed: number, baseline?: string, player?: string,
 *   confirm?: boolean }} Asked
 */

/**
 * The command that does the same again.
 * @param {Asked} options
 * @returns {string} to be pasted into a shell
 */
export const commandOf = ({ systems = [], rounds, baseline, ...options }) =>
  commandWith(['run', ...systems], { ...options, rounds, baseline });

/**
 * A command of ours with its options.
 * @param {string[]} words the verb and its arguments
 * @param {CaseSelection & { seed?: number, rounds?: number, blocks?: number, baseline?: string,
 *   player?: string, confirm?: boolean, changed?: boolean }} options
 * @returns {string} to be pasted into a shell
 */
export function commandWith(
  words,
  { env, scenario, set = {}, profile, rounds, blocks, seed, baseline, player, confirm, changed },
) {
  const options = Object.entries({ env, scenario, profile, rounds, blocks, seed, baseline, player });
  const given = options.filter(([, value]) => value !== undefined && value !== null);
  return [
    'npx',
    'benchfolio',
    ...words,
    ...given.flatMap(([name, value]) => [value].flat().flatMap((item) => [`--${name}`, String(item)])),
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(confirm ? ['--confirm'] : []),
    ...(changed ? ['--changed'] : []),
  ]
    .map(quoted)
    .join(' ');
}

/**
 * The command that does one case again.
 * @param {Case} benchCase
 * @param {Asked} options
 * @returns {string}
 */
export function caseCommandOf({ system, environment, scenario, values, confirm }, options) {
  const swept = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return commandOf({
    ...options,
    systems: [system],
    env: environment,
    scenario,
    set: { ...options.set, ...swept },
    confirm: confirm !== null,
  });
}
