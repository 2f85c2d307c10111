import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addChoice, profileOf } from '../cli-options.js';
import { exitCodes, UserError } from '../errors.js';
import { scriptOf } from '../generator/k6-arguments.js';
import { planRun } from '../session/select-cases.js';
import { loadSuite } from '../suite.js';
import { ExecError, exec } from '../tools/exec.js';
import { findTool } from '../tools/find.js';

/**
 * @typedef {import('../session/select-cases.js').CaseSelection & { output?: string }} ArchiveOptions
 */

/** What stands for the address until somebody gives one: a name that never resolves (RFC 2606). */
const nowhere = 'http://base-url.invalid';

/**
 * Adds `benchfolio archive`.
 * @param {import('commander').Command} program
 * @param {import('../world.js').World} world
 */
export function register(program, world) {
  addChoice(program.command('archive [system]'))
    .description('pack one case with its data for plain k6 on another machine')
    .option('--output <file>', 'output file (default: <system>-<case>.tar)')
    .action(async (system, { quick, profile, ...options }) => {
      const systems = system === undefined ? [] : [system];
      world.exitCode = await archive({ ...options, systems, profile: profileOf({ quick, profile }) }, world);
    });
}

/**
 * Packs the driver, the spec and the data of one case into one file that `k6 run` takes anywhere: on a machine without
 * us, or on several at once, each with its segment of the load.
 * @param {ArchiveOptions} options
 * @param {import('../world.js').World} world
 * @returns {Promise<number>} 0
 * @throws {UserError} it is not one case; k6 is missing, or could not pack it
 */
export async function archive({ output, ...choice }, world) {
  const suite = loadSuite(world.cwd);
  const { toRun } = planRun(suite, choice, world);
  const [benchCase] = toRun;
  if (toRun.length !== 1) {
    const names = toRun.map(({ environment, name }) => `  ${environment}/${name}`);
    throw new UserError(
      [
        `an archive holds one case, and these are ${toRun.length}`,
        ...names.slice(0, 10),
        ...(names.length > 10 ? ['  …'] : []),
      ].join('\n'),
      {
        hint: 'Choose one with --scenario, --env and, of a sweep, --set name=value.',
      },
    );
  }
  const file = resolve(world.cwd, output ?? `${benchCase.system}-${benchCase.name}.tar`);
  await pack(benchCase, file, suite.root);
  const address = needsAddress(benchCase) ? ' -e BASE_URL=http://<host>:<port>' : '';
  const segment = '--execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1';
  world.stdout.write(
    [
      `${file}: ${benchCase.system}, ${benchCase.environment}, ${benchCase.name}`,
      `Anywhere:       k6 run${address} ${file}`,
      `Half the load:  k6 run ${segment}${address} ${file}`,
      '',
    ].join('\n'),
  );
  return exitCodes.pass;
}

/** Whether where the system is stands only in a run. @param {import('../spec/index.js').Case} benchCase */
const needsAddress = ({ url }) => url.includes('${');

/**
 * How plain k6 learns which case it is: whoever runs the archive can override a parameter.
 * @param {import('../spec/index.js').Case} benchCase
 * @param {string} root the suite's
 * @returns {Record<string, string | number | boolean>}
 */
const variablesOf = (benchCase, root) => ({
  SPEC: join(root, benchCase.spec_dir, 'spec.toml'),
  ENVIRONMENT: benchCase.environment,
  SCENARIO: benchCase.scenario,
  ...(benchCase.profile === null ? {} : { PROFILE: benchCase.profile }),
  ...benchCase.parameters,
});

/**
 * @param {import('../spec/index.js').Case} benchCase
 * @param {string} file is written whole, or not at all
 * @param {string} root the suite's
 */
async function pack(benchCase, file, root) {
  const k6 = await findTool('k6');
  const variables = { ...variablesOf(benchCase, root), ...(needsAddress(benchCase) && { BASE_URL: nowhere }) };
  const given = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const half = `${file}.${process.pid}`;
  // k6 packs the variables that it is given, and none of the environment's: there may be secrets in those.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  try {
    await exec(k6.path, ['archive', '--no-color', ...given, '-O', half, scriptOf(benchCase, root)], { env });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    const { message } = /** @type {Error} */ (error);
    const said = error instanceof ExecError ? /msg="(.*?)(?:\\n)*"/.exec(error.stderr)?.[1] : null;
    throw new UserError(`k6 could not pack ${benchCase.name}: ${said ?? message}`, {
      code: exitCodes.error,
      cause: error,
    });
  }
}
