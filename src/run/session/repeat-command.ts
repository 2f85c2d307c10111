import { quoted } from '../../base/io/shell.js';
import type { Case } from '../../suite/cases/expand.js';
import type { CaseSelection } from './select-cases.js';

export type Asked = CaseSelection & {
  rounds: number;
  seed: number;
  baseline?: string;
  player?: string;
  confirm?: boolean;
};

/**
 * The command that does the same again.
 * @returns to be pasted into a shell
 */
export const commandOf = ({ systems = [], rounds, baseline, ...options }: Asked): string =>
  commandWith(['run', ...systems], { ...options, rounds, baseline });

/**
 * A command of ours with its options.
 * @param words the verb and its arguments
 * @returns to be pasted into a shell
 */
export function commandWith(
  words: string[],
  {
    env,
    scenario,
    set = {},
    profile,
    rounds,
    blocks,
    seed,
    baseline,
    player,
    confirm,
    changed,
  }: CaseSelection & {
    seed?: number;
    rounds?: number;
    blocks?: number;
    baseline?: string;
    player?: string;
    confirm?: boolean;
    changed?: boolean;
  },
): string {
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

/** The command that does one case again. */
export function caseCommandOf({ system, environment, scenario, values, confirm }: Case, options: Asked): string {
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
