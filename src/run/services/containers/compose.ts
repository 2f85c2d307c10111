import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../../base/process/command.js';
import { CaseFailure } from '../../../base/process/failure.js';
import { labels } from '../../../base/process/labelled-containers.js';
import { openLog } from '../../../base/process/log.js';
import { ExecError, exec } from '../../../base/tools/exec.js';
import type { Case } from '../../../suite/cases/expand.js';
import type { RunnerValues } from '../../../suite/run-placeholders.js';
import type { Run } from '../../run-context.js';
import { secretsOf } from '../secrets.js';
import { type Condition, callOf, composeOf, dependenciesOf, neededBy, readModel, withModel } from './compose-model.js';
import { ofStart, portsOf } from './compose-start.js';
import { askEngine } from './engine.js';
import { imageName, isThere } from './image.js';
import { type Made, type RunningContainer, startContainer } from './start-container.js';

type Service = Case['services'][number];

/** Milliseconds between two looks at a service that others wait for. */
const look_ms = 200;

/** Seconds that a service may take that others wait for. */
const longest_s = 300;

/**
 * Builds and pulls the images of services of a compose file, and of those that they depend on.
 * @param where path: of the compose file, absolute; folder: for the log
 * @throws {CaseFailure}
 */
export async function prepareCompose(
  names: readonly string[],
  { path, folder, secrets }: { path: string; folder: string; secrets: string[] },
  run: Run,
) {
  const project = imageName([path]);
  const model = await readModel(path, run);
  const needed = neededBy(names, model, path);
  for (const service of needed.filter((name) => model.services[name].build)) {
    model.services[service].image = imageName([path, service]);
  }
  const [built, named] = [true, false].map((own) =>
    needed.filter((name) => Boolean(model.services[name].build) === own),
  );
  const there = await Promise.all(named.map((name) => isThere(model.services[name].image, run)));
  const missing = named.filter((_, i) => !there[i]);
  const [program, ...first] = composeOf(run);
  await withModel(model, { folder, name: 'build' }, async (file) => {
    const logFile = join(folder, 'compose.build.log');
    const ask = (words: string[], name: string) => {
      const argv = [program, ...first, '--file', file, '--project-name', project, ...words];
      const log = openLog(logFile, { secrets });
      const command = { name, argv, cwd: dirname(path), env: { ...run.env, PWD: dirname(path) }, log };
      return run.progress.step(name, logFile, () => runCommand(command, run));
    };
    if (built.length > 0) await ask(['build', ...built], `building the images of ${basename(path)}`);
    const images = `pulling the images of ${missing.join(' and ')} (${basename(path)})`;
    if (missing.length > 0) await ask(['pull', ...missing], images);
  });
}

/**
 * One start of a compose file: a project of its own, with its own networks, volumes and ports.
 * @param services those of the file that the spec names
 * @returns helpers: containers that run and that the spec does not name; create: starts what a service depends on and is not
 *   named in the spec, waits for all that it depends on, and gives its container, which is made and not started
 * @throws {CaseFailure}
 */
export async function composeProject(
  services: readonly Service[],
  {
    benchCase,
    start,
    folder,
    values,
    giveUp,
  }: { benchCase: Case; start: string; folder: string; values: RunnerValues; giveUp: () => Error | null },
  run: Run,
): Promise<{ create: (service: Service) => Promise<Made>; helpers: () => RunningContainer[] }> {
  const path = resolve(values.specDir, services[0].container?.compose?.file ?? '');
  const model = await readModel(path, run);
  const named = services.map(({ name }) => name);
  const needed = neededBy(named, model, path);
  const ports = Object.fromEntries(services.map((service) => [service.name, portsOf(service, model, values)]));
  const [program, ...first] = composeOf(run);
  await withModel(ofStart(model, { path, needed, ports, start }, run), { folder, name: start }, async (file) => {
    const words = [...first, '--file', file, '--project-name', start, 'up', '--no-start', '--no-build', ...needed];
    await exec(program, words, callOf(path, run)).catch((error) => {
      if (!(error instanceof ExecError)) throw error;
      throw new CaseFailure(`the containers of ${basename(path)} cannot be made`, { detail: error.stderr });
    });
  });
  const madeOf = async (name: string) => {
    const id = await askEngine(
      [
        'ps',
        '--all',
        '--quiet',
        '--no-trunc',
        '--filter',
        `label=${labels.start}=${start}`,
        '--filter',
        `label=com.docker.compose.service=${name}`,
      ],
      `the container of "${name}" cannot be found`,
      run,
    );
    const { image, build } = model.services[name];
    const inside = ports[name]?.[0]?.inside ?? null;
    return { id, port: inside, image: { image: image ?? 'of its Dockerfile', built: Boolean(build) } };
  };

  /** Containers that others depend on, and that are not among the services. */
  const helpers: Map<string, RunningContainer> = new Map();
  /** Services that were made, and are ready. */
  const created: Set<string> = new Set();
  const begin = async (name: string) => {
    await waitFor(name);
    const log = openLog(join(folder, `${name}.log`), { secrets: secretsOf(benchCase, run.env) });
    helpers.set(name, await startContainer(await madeOf(name), { name, title: `service "${name}"`, log }, run));
  };
  const waitFor = async (name: string) => {
    for (const [other, condition] of dependenciesOf(model.services[name])) {
      if (named.includes(other)) {
        if (created.has(other)) continue; // it is ready by its own rule
        throw new CaseFailure(`"${name}" of ${basename(path)} depends on "${other}", which is started later`, {
          hint: `Name "${other}" before "${name}" in the environment's services.`,
        });
      }
      if (!helpers.has(other)) await begin(other);
      await untilMet(helpers.get(other) as RunningContainer, {
        condition,
        name,
        giveUp,
      });
    }
  };
  return {
    async create({ name }) {
      await waitFor(name);
      created.add(name);
      return madeOf(name);
    },
    helpers() {
      const all = [...helpers.values()];
      const failed = all.find(({ exit }) => exit !== null && exit.code !== 0);
      if (!failed) return all.filter(({ exit }) => exit === null);
      throw new CaseFailure(
        `service "${failed.name}", on which others depend, ended with exit code ${failed.exit?.code}`,
        {
          log: failed.log,
        },
      );
    },
  };
}

/**
 * @param options name: of who waits
 * @throws {CaseFailure} it did not come to that
 */
async function untilMet(
  helper: RunningContainer,
  { condition, name, giveUp }: { condition: Condition; name: string; giveUp: () => Error | null },
) {
  const fail = (why: string) =>
    new CaseFailure(`service "${helper.name}", on which "${name}" depends, ${why}`, { log: helper.log });
  const deadline = performance.now() + longest_s * 1000;
  for (;;) {
    const because = giveUp();
    if (because) throw because;
    const { exit } = helper;
    if (condition === 'service_completed_successfully' && exit) {
      if (exit.code === 0) return;
      throw fail(`ended with exit code ${exit.code}`);
    }
    if (exit && (condition === 'service_healthy' || exit.code !== 0)) throw fail(`ended with exit code ${exit.code}`);
    if (condition === 'service_started') return;
    if (condition === 'service_healthy' && (await helper.container.health())?.status === 'healthy') return;
    if (performance.now() > deadline)
      throw fail(`was not ${condition === 'service_healthy' ? 'healthy' : 'done'} within ${longest_s} s`);
    await sleep(look_ms);
  }
}
