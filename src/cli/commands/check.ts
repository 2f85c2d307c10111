import type { Command } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';
import { changedSystems, checkSuite, countProblems } from '../../suite/check/check.js';
import { openSuite, specPath, systemNames } from '../../suite/suite.js';
import { collect } from '../cli-options.js';

export type CheckArguments = {
  list?: boolean;
  systems?: boolean;
  changedSince?: string;
  profile?: string;
  quick?: boolean;
  set?: Record<string, string>;
};

/** Adds `benchfolio check`. */
export function register(program: Command, world: World) {
  program
    .command('check')
    .summary('find all errors in bench.toml and the specs')
    .description('find all errors in bench.toml and the specs at once, and warn of what would waste a run')
    .argument('[system...]', 'folders in specs/ (default: all)')
    .option('--list', 'print the cases as JSON')
    .option('--systems', 'print the names of the systems, one per line')
    .option('--changed-since <ref>', 'only the systems affected by a change since this commit or branch')
    .option('--profile <name>', 'check this profile only')
    .option('--quick', 'same as --profile quick')
    .option('--set <name=value>', 'set a parameter, or reduce a sweep to one value; repeatable', collect)
    .action(async (systems, options) => {
      world.exitCode = await check(systems, options, world);
    });
}

/**
 * @param named systems; all when empty
 * @returns 2 when anything is wrong, else 0: warnings do not count
 */
export async function check(
  named: string[],
  { changedSince, systems = false, ...options }: CheckArguments,
  world: Pick<World, 'cwd' | 'env' | 'stdout'>,
): Promise<number> {
  const suite = openSuite(world.cwd);
  const all = named.length ? named : systemNames(suite);
  if (!all.length) {
    throw new UserError(`there is no spec in ${suite.root}/specs`, {
      hint: 'A system is a folder in specs/ with a spec.toml.',
    });
  }
  for (const name of named) specPath(suite, name); // says which there are
  const chosen = changedSince === undefined ? all : await changedSystems(suite, all, changedSince);
  if (systems) {
    world.stdout.write(chosen.map((name) => `${name}\n`).join(''));
    return exitCodes.pass;
  }
  return checkSystems(suite, chosen, options, world);
}

function checkSystems(
  suite: ReturnType<typeof openSuite>,
  chosen: string[],
  { list = false, profile, quick = false, set = {} }: Omit<CheckArguments, 'systems' | 'changedSince'>,
  { stdout }: Pick<World, 'stdout'>,
) {
  const name = profile ?? (quick ? 'quick' : undefined);
  const profiles = name !== undefined ? [name] : list ? [null] : undefined;
  const checked = checkSuite(suite, chosen, { profiles, set });
  if (list && checked.ok) {
    stdout.write(`${JSON.stringify(checked.cases.map(listed), null, 2)}\n`);
    return exitCodes.pass;
  }
  stdout.write(checked.render(stdout));
  const [specs, cases] = [chosen.length, checked.cases.length];
  stdout.write(
    `${countProblems(checked.problems)} in ${counted(specs, 'spec')}` +
      `${checked.ok ? `, ${counted(cases, 'case')}` : ''}\n`,
  );
  return checked.ok ? exitCodes.pass : exitCodes.usage;
}

/** A case as scripts get it. */
const listed = ({ system, environment, name, scenario, values, status, k6, duration_s }: Case) => ({
  system,
  environment,
  case: name,
  scenario,
  values,
  status,
  k6,
  duration_s,
});
