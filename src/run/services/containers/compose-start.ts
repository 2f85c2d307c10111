import { basename } from 'node:path';
import { CaseFailure } from '../../../base/process/failure.js';
import { labels } from '../../../base/process/labelled-containers.js';
import type { Case } from '../../../suite/cases/expand.js';
import type { RunnerValues } from '../../../suite/run-placeholders.js';
import type { Run } from '../../run-context.js';
import type { Model } from './compose-model.js';
import { imageName } from './image.js';
import { healthInterval } from './start-container.js';

type Service = Case['services'][number];

/**
 * The ports of a service inside its container: as the spec says, or the first that the file publishes or exposes.
 * @returns none: no service asks for one
 */
export function portsOf(
  { name, container }: Service,
  model: Model,
  values: RunnerValues,
): { inside: number; here: number }[] {
  const here = values.ports[name];
  if (here === undefined) return [];
  if (container?.ports) {
    return Object.entries(container.ports).map(([port, inside]) => ({ inside, here: values.ports[`${name}.${port}`] }));
  }
  const { ports = [], expose = [] } = model.services[name] ?? {};
  const [first] = [...ports, ...expose].map(
    (port) => port?.target ?? String(port).replace(/\/.*$/, '').split(':').at(-1),
  );
  const inside = container?.port ?? Number(first);
  if (inside) return [{ inside, here }];
  throw new CaseFailure(`the compose file does not say on which port "${name}" listens`, {
    hint: 'Tell us: container = { port = 8080 } in the service.',
  });
}

/** The model of one start: nothing in it is shared with another start, nothing is built, only our ports are published. */
export function ofStart(
  model: Model,
  {
    path,
    needed,
    ports,
    start,
  }: { path: string; needed: string[]; ports: Record<string, { inside: number; here: number }[]>; start: string },
  run: Run,
): Model {
  const marks = { [labels.run]: run.id, [labels.start]: start };
  const outside = Object.entries(model.volumes ?? {}).find(([, volume]) => volume?.external)?.[0];
  if (outside !== undefined) {
    throw new CaseFailure(
      `the volume "${outside}" of ${basename(path)} is external: its data would be loaded, and shared`,
      {
        hint: 'Name a compose file for the benchmark that has its own volume, and fill it in `after_ready`.',
      },
    );
  }
  /** Of this start alone: without a name or addresses that another start would have too. */
  const labelled = (all: Model['volumes']) =>
    Object.fromEntries(
      Object.entries(all ?? {}).map(([key, value]) => {
        const { name, external, ipam, ...rest } = value ?? {};
        return [key, { ...rest, labels: { ...labelsOf(rest.labels), ...marks } }];
      }),
    );
  const services = needed.map((key) => {
    // Who depends on whom is ours to see: compose would wait for services that it does not start.
    const { build, container_name, depends_on, ports: _, restart, labels: own, ...kept } = model.services[key];
    // One container of each, which only we start; its image is there.
    const { scale, deploy, pull_policy, healthcheck, ...service } = kept;
    const published = ports[key] ?? [];
    return [
      key,
      {
        ...service,
        image: build ? imageName([path, key]) : service.image,
        labels: { ...labelsOf(own), ...marks },
        ...(healthcheck && {
          healthcheck: healthcheck.disable ? healthcheck : { ...healthcheck, interval: healthInterval },
        }),
        ...(published.length > 0 && { ports: published.map(({ here, inside }) => `127.0.0.1:${here}:${inside}`) }),
      },
    ];
  });
  return {
    ...model,
    name: undefined,
    services: Object.fromEntries(services),
    networks: { default: { labels: marks }, ...labelled(model.networks) },
    volumes: labelled(model.volumes),
  };
}

function labelsOf(written: Record<string, string> | string[] | undefined = {}): Record<string, string> {
  if (!Array.isArray(written)) return written;
  return Object.fromEntries(written.map((text) => [text.split('=')[0], text.split('=').slice(1).join('=')]));
}
