import type { Report } from './error.js';
import { sweptKeys, type Value } from './sweep.js';
import type { TomlTable } from './toml.js';

/** Names that mean something else in placeholders, or in the environment of the k6 driver. */
export const reservedNames = [
  'port',
  'env',
  'spec',
  'run',
  'row',
  'captured',
  'ready',
  'CASE',
  'PART',
  'SPEC',
  'ENVIRONMENT',
  'SCENARIO',
  'PROFILE',
  'BASE_URL',
  'SUMMARY',
  'HEAD_URL',
];

/**
 * The names that `--set name=value` (in plain k6 `-e NAME=value`) may use: parameters, and what any scenario sweeps.
 * @param spec with its profiles
 */
export function parameterNames(spec: TomlTable): Set<string> {
  const layers = [spec, ...Object.values<TomlTable>(spec.profiles ?? {})];
  return new Set(
    layers.flatMap((layer) => [
      ...Object.keys(layer.parameters ?? {}),
      ...Object.values<TomlTable>(layer.scenarios ?? {}).flatMap((scenario) => sweptKeys(scenario.sweep)),
    ]),
  );
}

/** Refuses values for names that the spec does not have. */
export function refuseUnknown(set: Record<string, unknown>, known: Set<string>, report: Report) {
  for (const name of Object.keys(set)) {
    if (!known.has(name)) report([], `there is no parameter "${name}" to set`, { got: name, known });
  }
}

/** The parameters of an environment's cases, before anything is swept. */
export function readParameters(
  spec: TomlTable,
  environment: string,
  set: Record<string, string | Value>,
  report: Report,
): Record<string, Value> {
  const defaults = spec.parameters ?? {};
  const over = spec.environments[environment].parameters ?? {};
  for (const name of Object.keys(over)) {
    if (name in defaults) continue;
    report(
      ['environments', environment, 'parameters', name],
      `there is no parameter "${name}" to override`,
      { got: name, known: Object.keys(defaults) },
      'key',
    );
  }
  const values = { ...defaults, ...over };
  const value = Object.entries(set).filter(([name]) => name in values);
  const typed = value.map(([name, value]) => [name, likeness(name, value, values[name], report)]);
  return { ...values, ...Object.fromEntries(typed) };
}

/** A swept parameter that was set has that value alone: of the combinations those that have it, if any do. */
export function narrow(
  combinations: Record<string, Value>[],
  set: Record<string, string | Value>,
  report: Report,
): Record<string, Value>[] {
  const swept = Object.keys(combinations[0] ?? {}).filter((name) => name in set);
  if (!swept.length) return combinations;
  const typed = swept.map((name) => [name, likeness(name, set[name], combinations[0][name], report)]);
  const fixed = Object.fromEntries(typed);
  const having = combinations.filter((values) => swept.every((name) => values[name] === fixed[name]));
  if (having.length) return having;
  const narrowed = combinations.map((values) => ({ ...values, ...fixed }));
  const keys = narrowed.map((values) => JSON.stringify(values));
  return narrowed.filter((_, i) => keys.indexOf(keys[i]) === i);
}

/** What came as text from a command line, in the type of the value that it replaces. */
function likeness(name: string, value: string | Value, like: Value, report: Report): Value {
  if (typeof value !== 'string' || typeof like === 'string') return value;
  const expectedType = typeof like === 'number' ? 'a number' : 'true or false';
  const read = typeof like === 'number' ? Number(value.trim() || NaN) : { true: true, false: false }[value];
  if (read === undefined || Number.isNaN(read)) report([], `${name} is set to "${value}", and must be ${expectedType}`);
  return read ?? like;
}
