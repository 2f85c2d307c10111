import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { CaseFailure } from '../../../base/process/failure.js';
import { labels, noteEngine, removeLabelled } from '../../../base/process/labelled-containers.js';
import type { Case } from '../../../suite/cases/expand.js';
import type { RunnerValues } from '../../../suite/run-placeholders.js';
import type { Run } from '../../run-context.js';
import { composeProject } from './compose.js';
import { askEngine, engineOf, valuesOf, variableOptions } from './engine.js';
import { imageId, imageName } from './image.js';
import { healthInterval, type Made, type RunningContainer } from './start-container.js';

type Service = Case['services'][number];

/**
 * What the containers of one start of an environment share: a network, and a label by which all of it is found again.
 * - create: makes the container of a service, which does not run yet
 * - helpers: containers that run because others depend on them, without being services of the spec
 * - close: removes all of it, however far it came
 * of this machine, and the one in the container that it leads to
 */
export type GivenPort = { here: number; inside: number | null };

export type Containers = {
  create: (service: Service, place: { ports: GivenPort[] }) => Promise<Made>;
  helpers: () => RunningContainer[];
  close: () => void;
};

const none: Containers = {
  create: () => Promise.reject(new Error('no service of the environment is a container')),
  helpers: () => [],
  close() {},
};

let starts = 0;

/**
 * Prepares the containers of an environment.
 * @returns of none, where its services are processes
 * @throws {CaseFailure} the engine refuses
 */
export async function openContainers(
  benchCase: Case,
  context: { folder: string; values: RunnerValues; giveUp: () => Error | null },
  run: Run,
): Promise<Containers> {
  const services = benchCase.services.filter(({ container }) => container);
  if (services.length === 0) return none;
  const engine = engineOf(run);
  starts += 1;
  const start = `benchfolio-${run.id.toLowerCase()}-${starts}`;
  noteEngine(run.folder, engine.program);
  const close = () => void removeLabelled(engine.program, { start });
  try {
    const isOfFile = ({ container }: Service) => Boolean(container?.compose);
    const project = services.some(isOfFile)
      ? await composeProject(services.filter(isOfFile), { ...context, benchCase, start }, run)
      : null;
    const own = services.some((service) => !isOfFile(service)) ? await ownNetwork(start, run) : null;
    return {
      create: (service, { ports }) =>
        project && isOfFile(service)
          ? project.create(service)
          : createContainer(service, { ports, start, network: String(own), specDir: context.values.specDir }, run),
      helpers: project?.helpers ?? (() => []),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** @returns options of whatever is made */
const labelOptions = (start: string, run: Run): string[] => [
  '--label',
  `${labels.run}=${run.id}`,
  '--label',
  `${labels.start}=${start}`,
];

/** @returns its name */
async function ownNetwork(start: string, run: Run): Promise<string> {
  await askEngine(
    ['network', 'create', ...labelOptions(start, run), start],
    'a network for containers cannot be made',
    run,
  );
  return start;
}

/**
 * @param service filled
 * @param where port: of this machine
 */
async function createContainer(
  service: Service,
  { ports, start, network, specDir }: { ports: GivenPort[]; start: string; network: string; specDir: string },
  run: Run,
): Promise<Made> {
  const { name, command, cpus } = service;
  const container = service.container as NonNullable<Service['container']>;
  const image = await imageId(
    container.build ? imageName([specDir, name, container.build]) : String(container.image),
    run,
  );
  const volumes = await Promise.all(container.volumes.map((volume) => volumeOf(volume, { name, start, specDir }, run)));
  const args = [
    'create',
    ...labelOptions(start, run),
    ...['--name', `${start}-${name}`, '--hostname', name],
    ...['--network', network, '--network-alias', name],
    ...ports.flatMap(({ here, inside }) => (inside === null ? [] : ['--publish', `127.0.0.1:${here}:${inside}`])),
    ...(cpus === null ? [] : ['--cpuset-cpus', cpus]),
    ...variableOptions(service.env),
    ...volumes.flatMap((volume) => ['--volume', volume]),
    ...(await healthOptions(service, image, run)),
    ...container.options,
    image,
    ...command,
  ];
  const answer = await askEngine(args, `the container of service "${name}" cannot be made`, run, valuesOf(service.env));
  const built = container.build !== null;
  const { port: inside } = container;
  return {
    id: answer.split('\n').at(-1) ?? '',
    port: inside,
    image: { image: container.image ?? 'of its Dockerfile', built },
  };
}

/**
 * The first look of a health check comes after its interval, which is half a minute by default: who waits for it looks more often.
 */
async function healthOptions({ ready }: Service, image: string, run: Run): Promise<string[]> {
  if (ready !== null && ready !== 'healthy') return [];
  const format = '{{if .Config.Healthcheck}}{{json .Config.Healthcheck.Test}}{{end}}';
  const test = await askEngine(['image', 'inspect', '--format', format, image], 'its image is gone', run);
  return test === '' || test === 'null' ? [] : [`--health-interval=${healthInterval}`];
}

/** @returns as the engine wants it */
async function volumeOf(
  written: string,
  { name, start, specDir }: { name: string; start: string; specDir: string },
  run: Run,
): Promise<string> {
  const [source, ...rest] = written.split(':');
  if (/^[./~]/.test(source)) {
    const folder = resolve(specDir, source.replace(/^~(?=\/|$)/, homedir()));
    if (existsSync(folder)) return [folder, ...rest].join(':');
    throw new CaseFailure(`the volume "${written}" of service "${name}" cannot be mounted: there is no ${folder}`);
  }
  const volume = `${start}-${name}-${source}`;
  await askEngine(
    ['volume', 'create', ...labelOptions(start, run), volume],
    `the volume "${source}" cannot be made`,
    run,
  );
  return [volume, ...rest].join(':');
}
