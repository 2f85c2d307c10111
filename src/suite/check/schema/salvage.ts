import type { ErrorObject } from 'ajv';
import type { Path } from '../../cases/error.js';
import { isTable } from '../../cases/profile.js';
import type { TomlTable } from '../../cases/toml.js';
import { rootCauses } from './root-causes.js';

/** Keys that can be dropped, and nothing else looks wrong then. */
const dispensable = new Set([
  'title',
  'description',
  'charts',
  'compare',
  'window',
  'thresholds',
  'saturation',
  'cookies',
  'connections',
  'error_cap',
  'mix_tolerance',
  'smoke',
  'checks',
  'expect',
  'headers',
  'query',
  'think',
  'body',
  'timeout',
  'redirects',
  'on_error',
  'gracefulStop',
  'gracefulRampDown',
  'maxDuration',
  'confirm',
  'restart',
  'ready',
  'ready_timeout',
  'stop_signal',
  'stop_timeout',
  'cpus',
  'sampled',
  'container',
  'setup',
  'build',
  'network',
  'prometheus',
  'generators',
  'metrics',
]);

/** What no case depends on: one that is wrong goes with all of its kind. */
const shown = new Set(['tables', 'references', 'attachments', 'requires', 'headline', 'calibrate']);

/** Keys that their table is nothing without. */
const needed = new Set(['expr', 'x', 'y', 'mean', 'matches', 'file']);

/**
 * A spec without what its schema refused, so that all the rest can be checked.
 * @returns standIns: environments of which only names and a URL are left; null: there is nothing to look at
 */
export function prune(document: TomlTable, errors: ErrorObject[]): { spec: TomlTable; standIns: string[] } | null {
  if (!isTable(document.environments) || !isTable(document.scenarios)) return null;
  if (!errors.length) return { spec: document, standIns: [] };
  const spec = structuredClone(document);
  for (const { error, path, name } of rootCauses(errors, document)) {
    if (name === null && error.keyword !== 'dependencies') removeCause(spec, error, path);
  }
  const { environments } = document;
  const standIns = Object.keys(environments).filter((name) =>
    [name, ...chainOf(name, environments)].some((ancestor) => !(ancestor in spec.environments)),
  );
  for (const name of standIns) {
    const services = servicesIn(chainOf(name, environments), environments);
    spec.environments[name] = { url: 'http://localhost', services };
  }
  const order = Object.keys(document.environments).map((name) => [name, spec.environments[name]]);
  for (const profile of Object.values<TomlTable>(spec.profiles ?? {})) {
    // what is gone from the spec cannot be changed, and is not a misspelling either
    for (const name of Object.keys(profile.scenarios ?? {})) {
      if (name in document.scenarios && !(name in spec.scenarios)) delete profile.scenarios[name];
    }
  }
  return { spec: { ...spec, environments: Object.fromEntries(order) }, standIns };
}

/**
 * An environment and those that it extends, as far as they are there.
 * @param environments as written
 */
function chainOf(name: string, environments: TomlTable): string[] {
  const chain: string[] = [];
  let next = name;
  while (isTable(environments[next]) && !chain.includes(next)) {
    chain.push(next);
    next = environments[next].extends;
  }
  return chain;
}

/** Services of which only names are left: scenarios that name them are not wrong. */
function servicesIn(chain: string[], environments: TomlTable) {
  const services = chain.flatMap((name) => environments[name].services ?? []);
  const names = new Set(services.map((service) => service?.name).filter((name) => typeof name === 'string'));
  return [...names].map((name) => ({ name, command: ['x'] }));
}

function removeCause(spec: TomlTable, error: ErrorObject, path: Path) {
  const [section] = path;
  if (error.keyword === 'additionalProperties') remove(spec, [...path, error.params.additionalProperty]);
  else if (section === 'parameters' && path.length > 1) spec.parameters[path[1]] = '';
  else if (shown.has(String(section))) remove(spec, path.slice(0, 1));
  else if (queryAt(path))
    set(spec, queryAt(path) as Path, { query: '0' }); // thresholds name it
  else if (path.some((key) => dispensable.has(String(key)))) remove(spec, path);
  else if (['environments', 'scenarios', 'profiles'].includes(String(section))) remove(spec, path.slice(0, 2));
  else remove(spec, path.slice(0, 1));
}

/** The metric from Prometheus that something is wrong with. */
function queryAt(path: Path): Path | null {
  const depth = path[0] === 'metrics' ? 2 : path[0] === 'scenarios' && path[2] === 'metrics' ? 4 : Infinity;
  return path.length >= depth ? path.slice(0, depth) : null;
}

function set(spec: TomlTable, path: Path, value: unknown) {
  const parent = path.slice(0, -1).reduce((at, key) => at?.[key], spec);
  if (isTable(parent)) parent[path.at(-1) as string] = value;
}

/** An item goes with its list: the others keep their numbers. */
function remove(spec: TomlTable, path: Path) {
  const end = path.findLastIndex((key) => typeof key === 'string');
  // not the name of an environment or a scenario, which may be "file" too
  if (end > 1 && needed.has(String(path[end]))) return remove(spec, path.slice(0, end));
  const parent = path.slice(0, end).reduce((at, key) => at?.[key], spec);
  if (isTable(parent)) delete parent[path[end] as string];
}
