/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

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
 * @param {TomlTable} spec
 * @param {string | null} profile null: the spec as it is
 * @param {Report} report
 * @returns {TomlTable}
 */
export function applyProfile(spec, profile, report) {
  if (profile === null) return spec;
  const over = spec.profiles?.[profile];
  if (!over) {
    const known = Object.keys(spec.profiles ?? {});
    report([], `there is no profile "${profile}"`, known.length ? { got: profile, known } : 'There is none at all.');
    return spec;
  }
  const merged = mergeTables(spec, known(spec, over, profile, report));
  for (const [name, { sweep, faults }] of Object.entries(over.scenarios ?? {})) {
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

/**
 * When faults happen, by their position: what happens is the scenario's.
 * @param {TomlTable[]} under
 * @param {TomlTable[]} over
 * @param {Path} path
 * @param {Report} report
 */
function mergeFaults(under, over, path, report) {
  if (over.length > under.length) {
    const message = `the profile changes ${over.length} faults, and the scenario has ${under.length}`;
    report([...path, under.length], message, 'A profile says only when they happen.');
  }
  return under.map((fault, i) => ({ ...fault, ...over[i] }));
}

/**
 * A profile without what its spec does not have.
 * @param {TomlTable} spec
 * @param {TomlTable} over
 * @param {string} profile
 * @param {Report} report
 * @returns {TomlTable}
 */
function known(spec, over, profile, report) {
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

/**
 * Tables are merged at any depth; lists and scalars are replaced.
 * @template T
 * @param {T} under
 * @param {unknown} over
 * @returns {T}
 */
export function mergeTables(under, over) {
  if (!isTable(under) || !isTable(over)) return over === undefined ? under : /** @type {T} */ (over);
  const keys = [...new Set([...Object.keys(under), ...Object.keys(over)])];
  const merged = keys.map((key) => [key, key in over ? mergeTables(under[key], over[key]) : under[key]]);
  return /** @type {T} */ (Object.fromEntries(merged));
}

/**
 * @param {unknown} value
 * @returns {value is TomlTable}
 */
export const isTable = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
