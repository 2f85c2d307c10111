import type { Path, Report } from './error.js';
import { isTable, mergeTables } from './profile.js';
import type { TomlTable } from './toml.js';

/**
 * Resolves the environments of a spec that extend another one.
 * @param environments as written, a profile merged over them
 * @returns the same object when none extends another
 */
export function resolveExtends(environments: TomlTable, report: Report): TomlTable {
  if (!Object.values(environments).some((environment) => environment.extends !== undefined)) return environments;
  return Object.fromEntries(Object.keys(environments).map((name) => [name, resolve(name, environments, [], report)]));
}

/** For what has been reported as wrong. */
const standIn = { url: 'http://localhost' };

/** @param children those that led here */
function resolve(name: string, environments: TomlTable, children: string[], report: Report): TomlTable {
  const { extends: parent, ...own } = environments[name];
  if (parent === undefined) return own;
  const chain = [...children, name];
  const path = ['environments', name, 'extends'];
  if (!Object.hasOwn(environments, parent)) {
    report(path, `there is no environment "${parent}" to extend`, { got: parent, known: Object.keys(environments) });
    return { ...standIn, ...own };
  }
  if (chain.includes(parent)) {
    report(
      path,
      `the environment extends itself: ${[...chain, parent].join(' extends ')}`,
      'One of them must say all that it is.',
    );
    return { ...standIn, ...own };
  }
  const { title, ...base } = resolve(parent, environments, chain, report);
  const merged = mergeTables(base, own);
  return base.services && own.services ? { ...merged, services: mergeServices(base.services, own.services) } : merged;
}

/** By their names; new ones come last. */
function mergeServices(under: TomlTable[], over: TomlTable[]): TomlTable[] {
  const names = under.map(({ name }) => name);
  const changed = under.map((service) =>
    mergeTables(
      service,
      over.find(({ name }) => name === service.name),
    ),
  );
  return [...changed, ...over.filter(({ name }) => !names.includes(name))];
}

/**
 * Where what a resolved environment has is written: in itself, or in one that it extends.
 * @param environments as written, a profile merged over them
 * @param path into the resolved spec
 * @returns the same when it is not an environment's, or is written nowhere
 */
export function writtenAt(environments: TomlTable, path: Path): Path {
  if (path[0] !== 'environments' || environments[path[1]]?.extends === undefined) return path;
  const resolved = resolveExtends(environments, () => {})[path[1]];
  const service = path[2] === 'services' ? resolved.services?.[Number(path[3])]?.name : undefined;
  const seen = new Set();
  for (let name = String(path[1]); isTable(environments[name]) && !seen.has(name); name = environments[name].extends) {
    seen.add(name);
    const at =
      service === undefined
        ? -1
        : (environments[name].services ?? []).findIndex((candidate: TomlTable) => candidate.name === service);
    const own = ['environments', name, ...(service === undefined ? path.slice(2) : ['services', at, ...path.slice(4)])];
    if (has(environments, own.slice(1))) return own;
  }
  return path;
}

const has = (value: TomlTable, path: Path) => path.reduce((at, key) => at?.[key], value) !== undefined;
