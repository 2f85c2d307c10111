import type { Path, Report } from './error.js';
import { fillPlaceholders, placeholdersOf } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** A metric from Prometheus. */
export type Query = {
  name: string;
  /** PromQL; only ports and what the run knows are still placeholders */
  query: string;
  unit: string | null;
  /** which is better */
  direction: 'lower' | 'higher' | null;
  over: 'window' | 'time';
};

/** What only the runner knows when it asks. */
const leftForQuery = (name: string) => /^(port(\..+)?|env\..+|round|version|side)$/.test(name);

/** The metrics of a scenario that Prometheus is asked for: those of all scenarios, and its own. */
export function queriesOf(spec: TomlTable, scenario: string): { name: string; written: TomlTable; path: Path }[] {
  const own = spec.scenarios[scenario].metrics ?? {};
  const everywhere = Object.entries<TomlTable>(spec.metrics ?? {}).filter(([name]) => !Object.hasOwn(own, name));
  return [
    ...everywhere.map(([name, written]) => ({ name, written, path: ['metrics', name] })),
    ...Object.entries<TomlTable>(own).map(([name, written]) => ({
      name,
      written,
      path: ['scenarios', scenario, 'metrics', name],
    })),
  ];
}

/** @param given scope: values, and what the case is called */
export function readQueries(
  queries: ReturnType<typeof queriesOf>,
  {
    scope,
    services,
    environment,
  }: { scope: Record<string, unknown>; services: { name: string }[]; environment: string },
  report: Report,
): Query[] {
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
