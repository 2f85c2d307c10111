import { join } from 'node:path';
import { pathsOf } from './detect-paths.js';
import { exposedPort } from './detect-port.js';
import { sourcesIn, tableOf, textOf, yamlOf } from './read-repository.js';
import { nameForm } from './repository.js';

/** @import { LeftRoute } from './detect-paths.js' */

/**
 * What runs in containers: a service of a compose file, or the image of a Dockerfile. port: on which it listens inside; null: the
 * file says so itself. others: services of the file beside it.
 * @typedef {{ compose: string | null, name: string, port: number | null, path: string, health: string | null, others: string[],
 *   more: string[], left: LeftRoute[], seen: string[] }} DetectedContainer
 */

export const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** Images that serve no users: databases, queues, tools. */
const beside =
  /(^|\/)(postgres|postgis|mysql|mariadb|mongo|redis|valkey|memcached|rabbitmq|kafka|zookeeper|nats|elasticsearch|opensearch|minio|adminer|pgadmin4?|mailhog|mailpit|prometheus|grafana|jaeger|localstack)\b/;

/** Usual names of the front service, best first. */
const usual = ['web', 'app', 'api', 'server', 'backend', 'service'];

/**
 * Looks for the service of a compose file that answers HTTP: it publishes a port, is not a database, and is rather built here
 * than pulled.
 * @param {string} folder
 * @returns {DetectedContainer | null} null: there is no such file, or none such in it
 */
export function composeIn(folder) {
  const { file, services } = composeOf(folder);
  if (file === undefined || services === null) return null;
  const rank = (/** @type {string} */ name) => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  const [name] = answering(services)
    .filter((service) => nameForm.test(service))
    .sort((a, b) => Number(!services[a]?.build) - Number(!services[b]?.build) || rank(a) - rank(b));
  if (name === undefined) return null;
  const others = Object.keys(services).filter((other) => other !== name);
  const more = others.length > 0 ? ` beside ${others.join(', ')}` : '';
  return { compose: file, name, port: null, others, ...askedOf(folder), seen: [`${file} runs ${name}${more}`] };
}

/**
 * What is said of the services that might answer users, but have names that a spec cannot have.
 * @param {string} folder
 * @returns {string[]}
 */
export function misnamedIn(folder) {
  const { file, services } = composeOf(folder);
  return answering(services ?? {})
    .filter((name) => !nameForm.test(name))
    .map(
      (name) =>
        `${name} of ${file} is left out: a spec names only services of at most 64 letters, digits, - and _, the first a letter or digit`,
    );
}

/** @param {string} folder @returns {{ file: string | undefined, services: ReturnType<typeof servicesOf> }} */
function composeOf(folder) {
  const file = composeFiles.find((name) => textOf(join(folder, name)) !== null);
  return { file, services: file === undefined ? null : servicesOf(textOf(join(folder, file)) ?? '') };
}

/** A service of a compose file, which may be null there. @typedef {{ image?: unknown, build?: unknown, ports?: unknown } | null} ComposeService */

/** @param {Record<string, ComposeService>} services @returns {string[]} their names */
const answering = (services) =>
  Object.keys(services).filter((name) => isPublic(services[name]) && !beside.test(String(services[name]?.image ?? '')));

/** Is it built of this repository, with others that it needs? @param {DetectedContainer | null} found @param {string} folder */
export function needsOthers(found, folder) {
  if (found === null || found.compose === null) return false;
  return found.others.length > 0 && Boolean(servicesOf(textOf(join(folder, found.compose)) ?? '')?.[found.name]?.build);
}

/**
 * @param {string} folder
 * @returns {DetectedContainer | null} null: there is no Dockerfile that exposes a port
 */
export function dockerfileIn(folder) {
  const port = exposedPort(folder);
  if (port === null) return null;
  const seen = [`Dockerfile builds an image that listens on port ${port}`];
  return { compose: null, name: 'app', port, others: [], ...askedOf(folder), seen };
}

/** @param {string} folder */
function askedOf(folder) {
  const { path, health, more, left } = pathsOf(sourcesIn(folder));
  return { path, health, more, left };
}

/** @param {string} text @returns {Record<string, ComposeService> | null} null: it is not a compose file */
function servicesOf(text) {
  const { services } = tableOf(yamlOf(text));
  return services === tableOf(services) ? /** @type {Record<string, ComposeService>} */ (services) : null;
}

/** @param {ComposeService} service */
const isPublic = (service) => [service?.ports ?? []].flat().length > 0;
