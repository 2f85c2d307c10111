import type { Path, Report } from '../../cases/error.js';
import { queriesOf } from '../../cases/queries.js';
import { nameOf } from '../../cases/requests.js';
import { sweptKeys } from '../../cases/sweep.js';
import type { TomlTable } from '../../cases/toml.js';

/** What tables and charts over some scenarios may name. */
export type ChartScope = {
  /** all of the spec */
  scenarios: string[];
  /** of the spec */
  environments: string[];
  /** in any profile */
  swept: string[];
  /** swept ones, and the spec's */
  parameters: string[];
  /** metrics from Prometheus */
  queries: string[];
  /** those that are asked for over time */
  timeSeries: string[];
  /** names; null: scripts name theirs when they run */
  requests: string[] | null;
  groups: string[];
  services: string[];
};

/** @param spec environments that are like others filled in */
export function reachOf(spec: TomlTable, scenarios: string[]): ChartScope {
  const known = scenarios.filter((name) => Object.hasOwn(spec.scenarios, name));
  const tables = known.map((name) => spec.scenarios[name]);
  const layers = [spec, ...Object.values<TomlTable>(spec.profiles ?? {})];
  const swept = unique(layers.flatMap((layer) => known.flatMap((name) => sweptKeys(layer.scenarios?.[name]?.sweep))));
  const queries = known.flatMap((name) => queriesOf(spec, name));
  const requests = tables.flatMap((table) => table.requests ?? []);
  const places = tables.flatMap((table) => table.environments ?? Object.keys(spec.environments));
  const services = places.flatMap((environment) => spec.environments[environment]?.services ?? []);
  return {
    scenarios: known,
    environments: Object.keys(spec.environments),
    swept,
    parameters: unique([...swept, ...Object.keys(spec.parameters ?? {})]),
    queries: unique(queries.map(({ name }) => name)),
    timeSeries: unique(queries.filter(({ written }) => written.over === 'time').map(({ name }) => name)),
    requests: tables.some(({ script }) => script !== undefined) ? null : unique(requests.map(nameOf)),
    groups: unique([...tables.flatMap(({ groups = [] }) => groups), ...requests.flatMap(({ group = [] }) => group)]),
    services: unique(services.map(({ name }) => name)),
  };
}

const unique = <T>(items: T[]) => [...new Set(items)];

/**
 * The scenarios that a table or chart of the spec shows.
 * @param document the spec as it is: what was refused has a name all the same
 */
export function scenariosOf(
  { scenario, scenarios = [] }: TomlTable,
  document: TomlTable,
  path: Path,
  report: Report,
): string[] {
  const known = Object.keys(document.scenarios);
  if (scenario !== undefined) checkName('scenario', scenario, known, [...path, 'scenario'], report);
  scenarios.forEach((name: string, i: number) => {
    checkName('scenario', name, known, [...path, 'scenarios', i], report);
  });
  return scenario === undefined ? scenarios : [scenario];
}

/** @param known null: unknown */
export function checkName(kind: string, name: unknown, known: string[] | null, path: Path, report: Report) {
  if (!known || known.includes(String(name))) return;
  report(path, `there is no ${kind} "${name}"`, { got: name, known });
}

/** Which cases are meant: by environment, scenario or what is swept. */
export function checkWhere(
  where: TomlTable | undefined,
  { swept, environments, scenarios }: ChartScope,
  path: Path,
  report: Report,
) {
  for (const [key, value] of Object.entries(where ?? {})) {
    const at = [...path, 'where', key];
    const names = key === 'environment' ? environments : key === 'scenario' ? scenarios : null;
    const known = ['environment', 'scenario', ...swept];
    if (!known.includes(key)) report(at, `none of its scenarios sweeps "${key}"`, { got: key, known }, 'key');
    for (const name of names ? [value].flat() : []) checkName(key, name, names, at, report);
  }
}
