import { fillPlaceholders, placeholdersOf } from './placeholders.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} Query a metric from Prometheus
 * @property {string} name
 * @property {string} query PromQL; only ports and what the run knows are still placeholders
 * @property {string | null} unit
 * @property {'lower' | 'higher' | null} direction which is better
 * @property {'window' | 'time'} over
 */

/** What only the runner knows when it asks. @param {string} name */
const leftForQuery = (name) => /^(port(\..+)?|env\..+|round|version|side)$/.test(name);

/**
 * The metrics of a scenario that Prometheus is asked for: those of all scenarios, and its own.
 * @param {TomlTable} spec
 * @param {string} scenario
 * @returns {{ name: string, written: TomlTable, path: Path }[]}
 */
export function queriesOf(spec, scenario) {
  const own = spec.scenarios[scenario].metrics ?? {};
  const everywhere = Object.entries(spec.metrics ?? {}).filter(([name]) => !Object.hasOwn(own, name));
  return [
    ...everywhere.map(([name, written]) => ({ name, written, path: ['metrics', name] })),
    ...Object.entries(own).map(([name, written]) => ({
      name,
      written,
      path: ['scenarios', scenario, 'metrics', name],
    })),
  ];
}

/**
 * @param {ReturnType<typeof queriesOf>} queries
 * @param {{ scope: Record<string, unknown>, services: { name: string }[], environment: string }} given scope: values,
 *   and what the case is called
 * @param {Report} report
 * @returns {Query[]}
 */
export function readQueries(queries, { scope, services, environment }, report) {
  const known = services.map(({ name }) => name);
  return queries.map(({ name, written, path }) => {
    const filled = fillPlaceholders(written, scope, { leave: leftForQuery, path, report });
    const { query, unit = null, direction = null, over = 'window' } = filled;
    for (const { name: left, path: at } of placeholdersOf(query, [...path, 'query'])) {
      const service = /^port\.(.+)$/.exec(left)?.[1];
      if (left !== 'port' && (service === undefined || known.includes(service))) continue;
      const part = { part: `\${${left}}` };
      if (left === 'port') report(at, 'a query does not say whose ${port} it means', 'Write ${port.<service>}.', part);
      else report(at, `the environment "${environment}" has no service "${service}"`, { got: service, known }, part);
    }
    return { name, query, unit, direction, over };
  });
}
