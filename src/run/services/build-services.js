import { join, resolve } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { runCommand } from '../../base/process/command.js';
import { caseFailureOf } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { placeholdersOf } from '../../suite/cases/cases.js';
import { fill } from '../../suite/run-placeholders.js';
import { prepareCompose } from './containers/compose.js';
import { prepareImage } from './containers/image.js';
import { secretsOf } from './secrets.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseFailure } from '../../base/process/failure.js' */
/** @import { Run } from '../run-context.js' */

/**
 * Builds what the services of these cases ask for, each once, before anything is measured.
 * @param {readonly Case[]} cases
 * @param {Run} run
 * @param {'base' | 'head' | null} [side] of a duet, whose services these are
 * @returns {Promise<(benchCase: Case) => CaseFailure | null>} the failure of a case whose service could not be built
 */
export async function buildServices(cases, run, side = null) {
  /** @type {Map<string, CaseFailure | null>} */
  const outcomes = new Map();
  for (const benchCase of cases) {
    const folder = () => makeFolder(join(run.folder, benchCase.system, benchCase.environment));
    for (const { key, name, commands, cwd, env } of buildsOf(benchCase, run)) {
      if (outcomes.has(key)) continue;
      const file = join(folder(), `${side === null ? '' : `${side}.`}${name}.build.log`);
      const title = `${benchCase.system}/${benchCase.environment}: building ${name}${side === null ? '' : ` of ${side}`}`;
      const step = { name: `the build of service "${name}"`, file, cwd, env };
      const built = run.progress.step(title, file, () => runSteps(commands, step, benchCase, run));
      outcomes.set(key, await built.then(() => null, caseFailureOf));
    }
    for (const { key, prepare } of imagesOf(benchCase, run)) {
      if (outcomes.has(key)) continue;
      outcomes.set(key, await prepare(folder()).then(() => null, caseFailureOf));
    }
  }
  return (benchCase) =>
    [...buildsOf(benchCase, run), ...imagesOf(benchCase, run)]
      .map(({ key }) => outcomes.get(key))
      .find((failure) => failure) ?? null;
}

/**
 * @param {Case} benchCase
 * @param {Run} run
 */
function buildsOf(benchCase, run) {
  const values = run.valuesOf(benchCase);
  return benchCase.services
    .filter(({ build }) => build.length > 0)
    .map(({ name, build, ...service }) => {
      // Ports are given out for each start, long after the build: it cannot depend on them.
      const portless = Object.fromEntries(Object.entries(service.env).filter(([, value]) => !mentionsPort(value)));
      const { commands, cwd, env } = fill({ commands: build, cwd: service.cwd, env: portless }, values);
      const directory = resolve(values.specDir, cwd);
      return {
        key: JSON.stringify([commands, directory, env]),
        name,
        commands,
        cwd: directory,
        env: { ...run.env, ...env },
      };
    });
}

/**
 * The images that the containers of a case need: one for each service, and one step for those of a compose file.
 * @param {Case} benchCase
 * @param {Run} run
 * @returns {{ key: string, prepare: (folder: string) => Promise<void> }[]} folder: for logs
 */
function imagesOf(benchCase, run) {
  const values = run.valuesOf(benchCase);
  const secrets = secretsOf(benchCase, run.env);
  const { specDir } = values;
  const contained = benchCase.services.flatMap(({ name, container }) => (container ? [{ name, container }] : []));
  const own = contained.filter(({ container }) => !container.compose);
  const named = contained.filter(({ container }) => container.compose).map(({ name }) => name);
  const file = contained.map(({ container }) => container.compose?.file).find((path) => path !== undefined);
  return [
    ...own.map(({ name, container: { image, build } }) => {
      const service = { name, container: fill({ image, build }, values) };
      return {
        key: JSON.stringify(['image', specDir, service]),
        prepare: (/** @type {string} */ folder) =>
          prepareImage(service, { specDir, file: join(folder, `${name}.image.log`), secrets }, run),
      };
    }),
    ...(file === undefined
      ? []
      : [
          {
            key: JSON.stringify(['compose', specDir, file, named]),
            prepare: (/** @type {string} */ folder) =>
              prepareCompose(named, { path: resolve(specDir, file), folder, secrets }, run),
          },
        ]),
  ];
}

/** @param {string} value */
const mentionsPort = (value) => placeholdersOf(value).some(({ name }) => name === 'port' || name.startsWith('port.'));

/**
 * Runs commands one after the other, into one log.
 * @param {readonly string[][]} commands filled
 * @param {{ name: string, file: string, cwd: string, env: NodeJS.ProcessEnv }} where name: what failed, for the error
 * @param {Case} benchCase whose secrets they may print
 * @param {Run} run
 * @throws {CaseFailure} of the first that failed
 */
export async function runSteps(commands, { name, file, cwd, env }, benchCase, run) {
  for (const argv of commands) {
    await runCommand({ name, argv, cwd, env, log: openLog(file, { secrets: secretsOf(benchCase, run.env) }) }, run);
  }
}
