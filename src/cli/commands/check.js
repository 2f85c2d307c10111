import { exitCodes, UserError } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import { changedSystems, checkSuite, countProblems } from '../../suite/check/check.js';
import { openSuite, specPath, systemNames } from '../../suite/suite.js';
import { collect } from '../cli-options.js';

/** @import { Command } from 'commander' */
/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { World } from '../../base/world.js' */

/**
 * @typedef {{ list?: boolean, systems?: boolean, changedSince?: string, profile?: string, quick?: boolean,
 *   set?: Record<string, string> }} CheckArguments
 */

/**
 * Adds `benchfolio check`.
 * @param {Command} program
 * @param {World} world
 */
export function register(program, world) {
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
 * @param {string[]} named systems; all when empty
 * @param {CheckArguments} options
 * @param {Pick<World, 'cwd' | 'env' | 'stdout'>} world
 * @returns {Promise<number>} 2 when anything is wrong, else 0: warnings do not count
 */
export async function check(named, { changedSince, systems = false, ...options }, world) {
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

/**
 * @param {ReturnType<typeof openSuite>} suite
 * @param {string[]} chosen
 * @param {Omit<CheckArguments, 'systems' | 'changedSince'>} options
 * @param {Pick<World, 'stdout'>} world
 */
function checkSystems(suite, chosen, { list = false, profile, quick = false, set = {} }, { stdout }) {
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

/** A case as scripts get it. @param {Case} benchCase */
const listed = ({ system, environment, name, scenario, values, status, k6, duration_s }) => ({
  system,
  environment,
  case: name,
  scenario,
  values,
  status,
  k6,
  duration_s,
});
