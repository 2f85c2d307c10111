import { readAfterReady, refuseReady } from './after-ready.js';
import { attempt } from './attempt.js';
import { readContainer } from './container.js';
import { parseDuration } from './durations.js';
import { readGenerators } from './generators.js';
import { readNetwork } from './network.js';
import { originOf } from './origin.js';
import { fillPlaceholders, placeholdersOf } from './placeholders.js';
import { readPrometheus } from './prometheus.js';
import { readReuse, refuseOnce } from './reuse.js';
import { leftForRunner } from './runner-scope.js';

/** @import { Container } from './container.js' */
/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} Service as written, defaults filled; durations as written
 * @property {string} name
 * @property {string[][]} build commands, once a run
 * @property {string[][]} setup commands, before each start
 * @property {string[]} [ports] the names of its ports, where it has several; the first is the one that has no other name
 * @property {string[]} command none: that of its image
 * @property {string} cwd relative to the spec's folder
 * @property {Record<string, string>} env
 * @property {Record<string, string>} files templates of the spec's folder, and where each is written, filled
 * @property {string | null} ready
 * @property {string | null} metrics where Prometheus finds its metrics
 * @property {string} ready_timeout
 * @property {string | null} stop_signal null: that of its image
 * @property {string} stop_timeout
 * @property {string | null} cpus
 * @property {boolean} sampled
 * @property {Container | null} container null: it is a process
 */

/**
 * Prepares an environment for reading it with many values: once for each combination of those that it uses, and few use
 * what is swept.
 * @param {TomlTable} written
 * @param {Path} path
 * @param {Report} report
 * @returns {(scope: Record<string, unknown>) => Environment} the environment with its defaults, and these values put
 *   in; ports and folders are not known yet
 */
export function environmentReader(written, path, report) {
  const used = [...new Set(placeholdersOf(written).map(({ name }) => name))].filter((name) => !leftForRunner(name));
  /** @type {Map<string, Environment>} */
  const known = new Map();
  return (scope) => {
    const values = JSON.stringify(used.map((name) => scope[name]));
    const environment =
      known.get(values) ??
      readEnvironment(fillPlaceholders(written, scope, { leave: leftForRunner, path, report }), path, report);
    known.set(values, environment);
    return environment;
  };
}

/** @typedef {ReturnType<typeof readEnvironment>} Environment */

/** @param {TomlTable} written @param {Path} path @param {Report} report */
function readEnvironment({ parameters, ...written }, path, report) {
  /** @type {TomlTable & { url: string }} */
  const filled = { ...written, url: written.url ?? 'http://localhost' }; // that it has none is an error before
  const services = (filled.services ?? []).map(
    (/** @type {TomlTable & { name: string }} */ service, /** @type {number} */ i) =>
      readService(service, { compose: filled.compose ?? null }, [...path, 'services', i], report),
  );
  const { url } = filled;
  refuseTwins(services, path, report);
  refusePorts(filled, services, path, report);
  const { after_ready = [], ...before } = filled;
  refuseReady(before, [], path, report);
  const reuse = readReuse(filled.reuse ?? [], services, [...path, 'reuse'], report);
  refuseOnce(after_ready, { reuse }, [...path, 'after_ready'], report);
  const hosts = readHosts(filled.hosts ?? [], [...path, 'hosts'], report);
  const scraped = services.some((/** @type {Service} */ { metrics }) => metrics !== null);
  const prometheusTable = filled.prometheus ?? (scraped ? {} : null);
  const network = readNetwork(filled.network, url, [...path, 'network'], report);
  return {
    url,
    hosts,
    external: readOrigins(filled.external ?? [], [...path, 'external'], report),
    confirm: /** @type {string | null} */ (filled.confirm ?? null),
    restart: /** @type {'round' | 'case' | 'environment'} */ (filled.restart ?? 'case'),
    interleaved: /** @type {string | null} */ (filled.duet?.reason ?? null), // why two copies cannot run concurrently
    setup: commands(filled.setup),
    services: /** @type {Service[]} */ (services),
    reuse,
    after_ready: readAfterReady(after_ready, { url, hosts, services }, [...path, 'after_ready'], report),
    network,
    prometheus: prometheusTable && readPrometheus(prometheusTable, [...path, 'prometheus'], report),
    generators: readGenerators(filled.generators, { services, network }, [...path, 'generators'], report),
  };
}

/**
 * @param {(string | null)[]} written null: not to be read
 * @param {Path} path
 * @param {Report} report
 * @returns {string[]} origins
 */
function readOrigins(written, path, report) {
  return written.flatMap((text, i) => {
    if (text === null) return [];
    const origin = originOf(text);
    if (origin === null) report([...path, i], `"${text}" is not an origin like "https://login.example.org"`);
    return origin ?? [];
  });
}

/**
 * Reads hosts, of which some may be services: their ports are known when they run.
 * @param {string[]} written
 * @param {Path} path
 * @param {Report} report
 * @returns {string[]} origins, or texts with `${port.<name>}`
 */
function readHosts(written, path, report) {
  const isService = (/** @type {string} */ text) => /^[^$]*:\$\{port(\.[^{}]+)?\}\/?$/.test(text);
  const services = written.filter((text) => isService(text) && originOf(text.replace(/\$\{.*?\}/, '1')) !== null);
  return [
    ...services,
    ...readOrigins(
      written.map((text) => (services.includes(text) ? null : text)),
      path,
      report,
    ),
  ];
}

/**
 * @param {TomlTable & { name: string }} written
 * @param {{ compose: string | null }} around compose: the compose file of its environment
 * @param {Path} path
 * @param {Report} report
 * @returns {Service}
 */
function readService(written, around, path, report) {
  const { name, command = [], cwd = '.', files = {}, cpus = null, sampled = true } = written;
  const container = readContainer(written, around, path, report);
  const ports = readPorts(written, container, [...path, 'ports'], report);
  const { ready = null, metrics = null } = written;
  const { ready_timeout = '30s', stop_signal = container ? null : 'SIGTERM', stop_timeout = '10s' } = written;
  if (!command.length && !container) report(path, `service "${name}" has no "command"`, undefined, 'key');
  if (ready === 'healthy' && !container) {
    report(
      [...path, 'ready'],
      `"${name}" has no health check: only a container can have one`,
      'Write a URL, a port, or "log:…".',
    );
  }
  for (const [key, text] of Object.entries({ ready_timeout, stop_timeout })) {
    attempt(() => parseDuration(text), [...path, key], report);
  }
  const env = Object.fromEntries(Object.entries(written.env ?? {}).map(([key, value]) => [key, String(value)]));
  return {
    name,
    ...(ports && { ports }),
    build: commands(written.build),
    setup: commands(written.setup),
    command: command.map(String),
    cwd,
    env,
    files,
    ready,
    metrics,
    ready_timeout,
    stop_signal,
    stop_timeout,
    cpus,
    sampled,
    container,
  };
}

/**
 * @param {{ name: string, ports?: string[] }} written
 * @param {Container | null} container
 * @param {Path} path
 * @param {Report} report
 * @returns {string[] | null} null: it has one, or none
 */
function readPorts({ name, ports }, container, path, report) {
  if (ports && container) {
    const hint = 'Write there on which ones it listens inside: container = { ports = { http = 8080, grpc = 9090 } }.';
    report(path, `the ports of "${name}" are those of its container`, hint, 'key');
  }
  return ports ?? (container?.ports ? Object.keys(container.ports) : null);
}

/**
 * One command or a list of them, as a list.
 * @param {string[] | string[][] | undefined} written
 * @returns {string[][]}
 */
function commands(written) {
  if (!written?.length) return [];
  const list = Array.isArray(written[0]) ? /** @type {string[][]} */ (written) : [/** @type {string[]} */ (written)];
  return list.map((command) => command.map(String));
}

/** @param {Service[]} services @param {Path} path @param {Report} report */
function refuseTwins(services, path, report) {
  services.forEach(({ name }, i) => {
    if (services.findIndex((other) => other.name === name) < i) {
      report([...path, 'services', i, 'name'], `two services are named "${name}"`);
    }
  });
}

/**
 * `${port.x}` must name a service, and `${port}` outside of services must be the only one in use.
 * @param {TomlTable & { url: string }} filled
 * @param {Service[]} services
 * @param {Path} path
 * @param {Report} report
 */
function refusePorts(filled, services, path, report) {
  const names = portNames(services);
  const all = placeholdersOf(filled, path);
  for (const { name, path: at } of all) {
    const service = /^port\.(.+)$/.exec(name)?.[1];
    if (service !== undefined && !names.includes(service)) {
      report(at, noPort(service, services), { got: service, known: names }, { part: `\${${name}}` });
    }
  }
  const users = portUsers(filled);
  for (const [i, { name, container }] of services.entries()) {
    if (!container || container.compose || container.port || !users.includes(name)) continue;
    report(
      [...path, 'services', i, 'container'],
      `the port of "${name}" is asked for, and its container has none`,
      'Say on which one it listens inside: container = { port = 8080 }.',
    );
  }
  const outside = all.find(({ name, path: at }) => name === 'port' && at[path.length] !== 'services');
  if (!outside || users.length === 1) return;
  const part = { part: '${port}' };
  if (!users.length) {
    report(outside.path, 'no service uses ${port}', 'Put it into a service: env = { PORT = "${port}" }.', part);
  } else report(outside.path, `\${port} could be that of ${users.join(' or ')}`, `Write \${port.${users[0]}}.`, part);
}

/**
 * What `${port.…}` may name: services, and their ports where they have several.
 * @param {readonly Pick<Service, 'name' | 'ports'>[]} services
 * @returns {string[]} "app", "app.http", "app.grpc"
 */
export const portNames = (services) =>
  services.flatMap(({ name, ports = [] }) => [name, ...ports.map((port) => `${name}.${port}`)]);

/**
 * Says what `${port.…}` names that is not there.
 * @param {string} portName "app.grcp"
 * @param {readonly Service[]} services
 */
export function noPort(portName, services) {
  const owner = services.find(({ name }) => portName.startsWith(`${name}.`));
  if (!owner) return `there is no service "${portName}"`;
  return `service "${owner.name}" has no port "${portName.slice(owner.name.length + 1)}"`;
}

/**
 * The services whose port is in use: they say `${port}` themselves, or something says `${port.<name>}`.
 * @param {{ url: string, hosts?: string[], setup?: unknown, services?: TomlTable[], after_ready?: unknown, env?: unknown }} environment or a
 *   case, with the variables of its script
 * @returns {string[]} their names
 */
export function portUsers({ url, hosts = [], setup, services = [], after_ready = [], env = {} }) {
  const used = new Set(placeholdersOf([url, hosts, setup ?? [], services, after_ready, env]).map(({ name }) => name));
  const own = (/** @type {TomlTable} */ service) =>
    Boolean(service.container?.port || service.container?.ports || service.ports) ||
    placeholdersOf(service).some(({ name }) => name === 'port');
  return services.filter((service) => own(service) || used.has(`port.${service.name}`)).map(({ name }) => name);
}
