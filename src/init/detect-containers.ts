import { join } from 'node:path';
import { type LeftRoute, pathsOf } from './detect-paths.js';
import { exposedPort } from './detect-port.js';
import { sourcesIn, tableOf, textOf, yamlOf } from './read-repository.js';
import { nameForm } from './repository.js';

/**
 * What runs in containers: a service of a compose file, or the image of a Dockerfile. port: on which it listens inside; null: the
 * file says so itself. others: services of the file beside it.
 */
export type DetectedContainer = {
  compose: string | null;
  name: string;
  port: number | null;
  path: string;
  health: string | null;
  others: string[];
  more: string[];
  left: LeftRoute[];
  seen: string[];
};

export const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** Images that serve no users: databases, queues, tools. */
const beside =
  /(^|\/)(postgres|postgis|mysql|mariadb|mongo|redis|valkey|memcached|rabbitmq|kafka|zookeeper|nats|elasticsearch|opensearch|minio|adminer|pgadmin4?|mailhog|mailpit|prometheus|grafana|jaeger|localstack)\b/;

/** Usual names of the front service, best first. */
const usual = ['web', 'app', 'api', 'server', 'backend', 'service'];

/**
 * Looks for the service of a compose file that answers HTTP: it publishes a port, is not a database, and is rather built here
 * than pulled.
 * @returns null: there is no such file, or none such in it
 */
export function composeIn(folder: string): DetectedContainer | null {
  const { file, services } = composeOf(folder);
  if (file === undefined || services === null) return null;
  const rank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  const [name] = answering(services)
    .filter((service) => nameForm.test(service))
    .sort((a, b) => Number(!services[a]?.build) - Number(!services[b]?.build) || rank(a) - rank(b));
  if (name === undefined) return null;
  const others = Object.keys(services).filter((other) => other !== name);
  const more = others.length > 0 ? ` beside ${others.join(', ')}` : '';
  return { compose: file, name, port: null, others, ...askedOf(folder), seen: [`${file} runs ${name}${more}`] };
}

/** What is said of the services that might answer users, but have names that a spec cannot have. */
export function misnamedIn(folder: string): string[] {
  const { file, services } = composeOf(folder);
  return answering(services ?? {})
    .filter((name) => !nameForm.test(name))
    .map(
      (name) =>
        `${name} of ${file} is left out: a spec names only services of at most 64 letters, digits, - and _, the first a letter or digit`,
    );
}

function composeOf(folder: string): { file: string | undefined; services: ReturnType<typeof servicesOf> } {
  const file = composeFiles.find((name) => textOf(join(folder, name)) !== null);
  return { file, services: file === undefined ? null : servicesOf(textOf(join(folder, file)) ?? '') };
}

/** A service of a compose file, which may be null there. */
type ComposeService = { image?: unknown; build?: unknown; ports?: unknown } | null;

/** @returns their names */
const answering = (services: Record<string, ComposeService>): string[] =>
  Object.keys(services).filter((name) => isPublic(services[name]) && !beside.test(String(services[name]?.image ?? '')));

/** Is it built of this repository, with others that it needs? */
export function needsOthers(found: DetectedContainer | null, folder: string) {
  if (found === null || found.compose === null) return false;
  return found.others.length > 0 && Boolean(servicesOf(textOf(join(folder, found.compose)) ?? '')?.[found.name]?.build);
}

/** @returns null: there is no Dockerfile that exposes a port */
export function dockerfileIn(folder: string): DetectedContainer | null {
  const port = exposedPort(folder);
  if (port === null) return null;
  const seen = [`Dockerfile builds an image that listens on port ${port}`];
  return { compose: null, name: 'app', port, others: [], ...askedOf(folder), seen };
}

function askedOf(folder: string) {
  const { path, health, more, left } = pathsOf(sourcesIn(folder));
  return { path, health, more, left };
}

/** @returns null: it is not a compose file */
function servicesOf(text: string): Record<string, ComposeService> | null {
  const { services } = tableOf(yamlOf(text));
  return services === tableOf(services) ? (services as Record<string, ComposeService>) : null;
}

const isPublic = (service: ComposeService) => [service?.ports ?? []].flat().length > 0;
