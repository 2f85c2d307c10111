import { queriesOf } from '../../cases/queries.js';
import { nameOf } from '../../cases/requests.js';
import { sweptKeys } from '../../cases/sweep.js';

/** @import { Path, Report } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */

/**
 * @typedef {object} ChartScope what tables and charts over some scenarios may name
 * @property {string[]} scenarios those that there are
 * @property {string[]} environments of the spec
 * @property {string[]} swept in any profile
 * @property {string[]} parameters swept ones, and the spec's
 * @property {string[]} queries metrics from Prometheus
 * @property {string[]} timeSeries those that are asked for over time
 * @property {string[] | null} requests names; null: scripts name theirs when they run
 * @property {string[]} groups
 * @property {string[]} services
 */

/**
 * @param {TomlTable} spec environments that are like others filled in
 * @param {string[]} scenarios
 * @returns {ChartScope}
 */
export function reachOf(spec, scenarios) {
  const known = scenarios.filter((name) => Object.hasOwn(spec.scenarios, name));
  const tables = known.map((name) => spec.scenarios[name]);
  const layers = [spec, ...Object.values(spec.profiles ?? {})];
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

/** @template T @param {T[]} items */
const unique = (items) => [...new Set(items)];

/**
 * The scenarios that a table or chart of the spec shows.
 * @param {TomlTable} shown
 * @param {TomlTable} document the spec as it is: what was refused has a name all the same
 * @param {Path} path
 * @param {Report} report
 * @returns {string[]}
 */
export function scenariosOf({ scenario, scenarios = [] }, document, path, report) {
  const known = Object.keys(document.scenarios);
  if (scenario !== undefined) checkName('scenario', scenario, known, [...path, 'scenario'], report);
  scenarios.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
    checkName('scenario', name, known, [...path, 'scenarios', i], report);
  });
  return scenario === undefined ? scenarios : [scenario];
}

/**
 * @param {string} kind
 * @param {unknown} name
 * @param {string[] | null} known null: unknown
 * @param {Path} path
 * @param {Report} report
 */
export function checkName(kind, name, known, path, report) {
  if (!known || known.includes(String(name))) return;
  report(path, `there is no ${kind} "${name}"`, { got: name, known });
}

/**
 * Which cases are meant: by environment, scenario or what is swept.
 * @param {TomlTable | undefined} where
 * @param {ChartScope} reach
 * @param {Path} path
 * @param {Report} report
 */
export function checkWhere(where, { swept, environments, scenarios }, path, report) {
  for (const [key, value] of Object.entries(where ?? {})) {
    const at = [...path, 'where', key];
    const names = key === 'environment' ? environments : key === 'scenario' ? scenarios : null;
    const known = ['environment', 'scenario', ...swept];
    if (!known.includes(key)) report(at, `none of its scenarios sweeps "${key}"`, { got: key, known }, 'key');
    for (const name of names ? [value].flat() : []) checkName(key, name, names, at, report);
  }
}
