import type { Path, Report } from './error.js';
import type { TomlTable } from './toml.js';

/**
 * What a profile may set in a scenario: how much load and for how long, never what is expected.
 */
export const profileKeys = [
  'duration',
  'maxDuration',
  'iterations',
  'rate',
  'startRate',
  'timeUnit',
  'stages',
  'vus',
  'startVUs',
  'preAllocatedVUs',
  'maxVUs',
  'gracefulStop',
  'gracefulRampDown',
  'instances',
  'window',
  'faults',
  'sweep',
];

/**
 * A spec with one of its profiles merged over it.
 * @param profile null: the spec as it is
 */
export function applyProfile(spec: TomlTable, profile: string | null, report: Report): TomlTable {
  if (profile === null) return spec;
  const over = spec.profiles?.[profile];
  if (!over) {
    const known = Object.keys(spec.profiles ?? {});
    report([], `there is no profile "${profile}"`, known.length ? { got: profile, known } : 'There is none at all.');
    return spec;
  }
  const merged = mergeTables(spec, known(spec, over, profile, report));
  for (const [name, { sweep, faults }] of Object.entries<TomlTable>(over.scenarios ?? {})) {
    const [scenario, before] = [merged.scenarios[name], spec.scenarios[name]];
    if (!before) continue;
    // a range is one value, like a list: half of one merged over half of another makes no sense
    if (isTable(sweep) && isTable(before.sweep)) scenario.sweep = { ...before.sweep, ...sweep };
    if (faults) {
      const path = ['profiles', profile, 'scenarios', name, 'faults'];
      scenario.faults = mergeFaults(before.faults ?? [], faults, path, report);
    }
  }
  return merged;
}

/** When faults happen, by their position: the scenario says which. */
function mergeFaults(under: TomlTable[], over: TomlTable[], path: Path, report: Report) {
  if (over.length > under.length) {
    const message = `the profile changes ${over.length} faults, and the scenario has ${under.length}`;
    report([...path, under.length], message, 'A profile says only when they happen.');
  }
  return under.map((fault, i) => ({ ...fault, ...over[i] }));
}

/** A profile without what its spec does not have. */
function known(spec: TomlTable, over: TomlTable, profile: string, report: Report): TomlTable {
  const kinds = ['parameters', 'environments', 'scenarios'].filter((kind) => over[kind]);
  return Object.fromEntries(
    kinds.map((kind) => {
      const names = Object.keys(spec[kind] ?? {});
      const unknown = Object.keys(over[kind]).filter((name) => !names.includes(name));
      for (const name of unknown) {
        report(
          ['profiles', profile, kind, name],
          `there is no ${kind.slice(0, -1)} "${name}" to change`,
          { got: name, known: names },
          'key',
        );
      }
      return [kind, Object.fromEntries(Object.entries(over[kind]).filter(([name]) => names.includes(name)))];
    }),
  );
}

/** Tables are merged at any depth; lists and scalars are replaced. */
export function mergeTables<T>(under: T, over: unknown): T {
  if (!isTable(under) || !isTable(over)) return over === undefined ? under : (over as T);
  const keys = [...new Set([...Object.keys(under), ...Object.keys(over)])];
  const merged = keys.map((key) => [key, key in over ? mergeTables(under[key], over[key]) : under[key]]);
  return Object.fromEntries(merged) as T;
}

export const isTable = (value: unknown): value is TomlTable =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
