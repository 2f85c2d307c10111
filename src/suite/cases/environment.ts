import { readAfterReady, refuseReady } from './after-ready.js';
import { attempt } from './attempt.js';
import { type Container, readContainer } from './container.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { readGenerators } from './generators.js';
import { readNetwork } from './network.js';
import { originOf } from './origin.js';
import { fillPlaceholders, placeholdersOf } from './placeholders.js';
import { readPrometheus } from './prometheus.js';
import { readReuse, refuseOnce } from './reuse.js';
import { leftForRunner } from './runner-scope.js';
import type { TomlTable } from './toml.js';

/** As written, defaults filled; durations as written */
export type Service = {
  name: string;
  /** commands, once a run */
  build: string[][];
  /** commands, before each start */
  setup: string[][];
  /** the names of its ports, where it has several; the first is the one that has no other name */
  ports?: string[];
  /** none: that of its image */
  command: string[];
  /** relative to the spec's folder */
  cwd: string;
  env: Record<string, string>;
  /** templates of the spec's folder, and where each is written, filled */
  files: Record<string, string>;
  ready: string | null;
  /** where Prometheus finds its metrics */
  metrics: string | null;
  ready_timeout: string;
  /** null: that of its image */
  stop_signal: string | null;
  stop_timeout: string;
  cpus: string | null;
  sampled: boolean;
  /** null: it is a process */
  container: Container | null;
};

/**
 * Prepares an environment for reading it with many values: once for each combination of those that it uses, and few use
 * what is swept.
 * @returns the environment with its defaults, and these values put in; ports and folders are not known yet
 */
export function environmentReader(
  written: TomlTable,
  path: Path,
  report: Report,
): (scope: Record<string, unknown>) => Environment {
  const used = [...new Set(placeholdersOf(written).map(({ name }) => name))].filter((name) => !leftForRunner(name));
  const known: Map<string, Environment> = new Map();
  return (scope) => {
    const values = JSON.stringify(used.map((name) => scope[name]));
    const environment =
      known.get(values) ??
      readEnvironment(fillPlaceholders(written, scope, { leave: leftForRunner, path, report }), path, report);
    known.set(values, environment);
    return environment;
  };
}

export type Environment = ReturnType<typeof readEnvironment>;

function readEnvironment({ parameters, ...written }: TomlTable, path: Path, report: Report) {
  const filled: TomlTable & { url: string } = { ...written, url: written.url ?? 'http://localhost' }; // that it has none is an error before
  const services = (filled.services ?? []).map((service: TomlTable & { name: string }, i: number) =>
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
  const scraped = services.some(({ metrics }: Service) => metrics !== null);
  const prometheusTable = filled.prometheus ?? (scraped ? {} : null);
  const network = readNetwork(filled.network, url, [...path, 'network'], report);
  return {
    url,
    hosts,
    external: readOrigins(filled.external ?? [], [...path, 'external'], report),
    confirm: (filled.confirm ?? null) as string | null,
    restart: (filled.restart ?? 'case') as 'round' | 'case' | 'environment',
    interleaved: (filled.duet?.reason ?? null) as string | null, // why two copies cannot run concurrently
    setup: commands(filled.setup),
    services: services as Service[],
    reuse,
    after_ready: readAfterReady(after_ready, { url, hosts, services }, [...path, 'after_ready'], report),
    network,
    prometheus: prometheusTable && readPrometheus(prometheusTable, [...path, 'prometheus'], report),
    generators: readGenerators(filled.generators, { services, network }, [...path, 'generators'], report),
  };
}

/**
 * @param written null: not to be read
 * @returns origins
 */
function readOrigins(written: (string | null)[], path: Path, report: Report): string[] {
  return written.flatMap((text, i) => {
    if (text === null) return [];
    const origin = originOf(text);
    if (origin === null) report([...path, i], `"${text}" is not an origin like "https://login.example.org"`);
    return origin ?? [];
  });
}

/**
 * Reads hosts, of which some may be services: their ports are known when they run.
 * @returns origins, or texts with `${port.<name>}`
 */
function readHosts(written: string[], path: Path, report: Report): string[] {
  const isService = (text: string) => /^[^$]*:\$\{port(\.[^{}]+)?\}\/?$/.test(text);
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

/** @param around compose: the compose file of its environment */
function readService(
  written: TomlTable & { name: string },
  around: { compose: string | null },
  path: Path,
  report: Report,
): Service {
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

/** @returns null: it has one, or none */
function readPorts(
  { name, ports }: { name: string; ports?: string[] },
  container: Container | null,
  path: Path,
  report: Report,
): string[] | null {
  if (ports && container) {
    const hint = 'Write there on which ones it listens inside: container = { ports = { http = 8080, grpc = 9090 } }.';
    report(path, `the ports of "${name}" are those of its container`, hint, 'key');
  }
  return ports ?? (container?.ports ? Object.keys(container.ports) : null);
}

/** One command or a list of them, as a list. */
function commands(written: string[] | string[][] | undefined): string[][] {
  if (!written?.length) return [];
  const list = Array.isArray(written[0]) ? (written as string[][]) : [written as string[]];
  return list.map((command) => command.map(String));
}

function refuseTwins(services: Service[], path: Path, report: Report) {
  services.forEach(({ name }, i) => {
    if (services.findIndex((other) => other.name === name) < i) {
      report([...path, 'services', i, 'name'], `two services are named "${name}"`);
    }
  });
}

/** `${port.x}` must name a service, and `${port}` outside of services must be the only one in use. */
function refusePorts(filled: TomlTable & { url: string }, services: Service[], path: Path, report: Report) {
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
 * @returns "app", "app.http", "app.grpc"
 */
export const portNames = (services: readonly Pick<Service, 'name' | 'ports'>[]): string[] =>
  services.flatMap(({ name, ports = [] }) => [name, ...ports.map((port) => `${name}.${port}`)]);

/**
 * Says what `${port.…}` names that is not there.
 * @param portName "app.grcp"
 */
export function noPort(portName: string, services: readonly Service[]) {
  const owner = services.find(({ name }) => portName.startsWith(`${name}.`));
  if (!owner) return `there is no service "${portName}"`;
  return `service "${owner.name}" has no port "${portName.slice(owner.name.length + 1)}"`;
}

/**
 * The services whose port is in use: they say `${port}` themselves, or something says `${port.<name>}`.
 * @param environment or a case, with the variables of its script
 * @returns their names
 */
export function portUsers({
  url,
  hosts = [],
  setup,
  services = [],
  after_ready = [],
  env = {},
}: {
  url: string;
  hosts?: string[];
  setup?: unknown;
  services?: TomlTable[];
  after_ready?: unknown;
  env?: unknown;
}): string[] {
  const used = new Set(placeholdersOf([url, hosts, setup ?? [], services, after_ready, env]).map(({ name }) => name));
  const own = (service: TomlTable) =>
    Boolean(service.container?.port || service.container?.ports || service.ports) ||
    placeholdersOf(service).some(({ name }) => name === 'port');
  return services.filter((service) => own(service) || used.has(`port.${service.name}`)).map(({ name }) => name);
}
