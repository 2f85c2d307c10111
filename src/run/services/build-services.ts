import { join, resolve } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { runCommand } from '../../base/process/command.js';
import { type CaseFailure, caseFailureOf } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { placeholdersOf } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { prepareCompose } from './containers/compose.js';
import { prepareImage } from './containers/image.js';
import { secretsOf } from './secrets.js';

/**
 * Builds what the services of these cases ask for, each once, before anything is measured.
 * @param side of a duet, whose services these are
 * @returns the failure of a case whose service could not be built
 */
export async function buildServices(
  cases: readonly Case[],
  run: Run,
  side: 'base' | 'head' | null = null,
): Promise<(benchCase: Case) => CaseFailure | null> {
  const outcomes: Map<string, CaseFailure | null> = new Map();
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

function buildsOf(benchCase: Case, run: Run) {
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
 * @returns folder: for logs
 */
function imagesOf(benchCase: Case, run: Run): { key: string; prepare: (folder: string) => Promise<void> }[] {
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
        prepare: (folder: string) =>
          prepareImage(service, { specDir, file: join(folder, `${name}.image.log`), secrets }, run),
      };
    }),
    ...(file === undefined
      ? []
      : [
          {
            key: JSON.stringify(['compose', specDir, file, named]),
            prepare: (folder: string) => prepareCompose(named, { path: resolve(specDir, file), folder, secrets }, run),
          },
        ]),
  ];
}

const mentionsPort = (value: string) =>
  placeholdersOf(value).some(({ name }) => name === 'port' || name.startsWith('port.'));

/**
 * Runs commands one after the other, into one log.
 * @param commands filled
 * @param where name: what failed, for the error
 * @param benchCase whose secrets they may print
 * @throws {CaseFailure} of the first that failed
 */
export async function runSteps(
  commands: readonly string[][],
  { name, file, cwd, env }: { name: string; file: string; cwd: string; env: NodeJS.ProcessEnv },
  benchCase: Case,
  run: Run,
) {
  for (const argv of commands) {
    await runCommand({ name, argv, cwd, env, log: openLog(file, { secrets: secretsOf(benchCase, run.env) }) }, run);
  }
}
