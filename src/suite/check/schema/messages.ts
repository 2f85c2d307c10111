import type { ErrorObject } from 'ajv';
import { type Focus, type Hint, type Path, showPath } from '../../cases/error.js';
import type { TomlTable } from '../../cases/toml.js';
import { rootCauses } from './root-causes.js';

type SchemaMessage = { path: Path; message: string; hint?: Hint; focus?: Focus };

/** A schema's errors as sentences: one for each thing that a person would change. */
export const sentencesFor = (errors: ErrorObject[], document: TomlTable): SchemaMessage[] =>
  rootCauses(errors, document).map(({ error, path, name }) =>
    name === null ? sentence(error, path, document) : badName(name, error, path),
  );

function sentence(error: ErrorObject, path: Path, document: TomlTable): SchemaMessage {
  const { keyword, params, parentSchema } = error;
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(params.additionalProperty, path, parentSchema ?? {});
    case 'required':
      return { path, message: `${describe(path, document)} has no "${params.missingProperty}"`, focus: 'key' };
    case 'dependencies': {
      const message = `${describe(path, document)} has "${params.property}" but no "${params.missingProperty}"`;
      return { path: [...path, params.property], message };
    }
    case 'minProperties': {
      const table = path.length === 1 ? `there are no ${path[0]}` : `${nameOf(path)} is empty`;
      return { path, message: table, focus: 'key' };
    }
    case 'uniqueItems':
      return { path: [...path, params.i], message: `${nameOf(path)} has ${show(error.data, params.i)} twice` };
    default:
      return wrongValue(error, path);
  }
}

function wrongValue({ keyword, data, params, parentSchema }: ErrorObject, path: Path): SchemaMessage {
  const expects = parentSchema?.['x-expects'];
  const name = nameOf(path);
  if (keyword === 'enum') {
    return { path, message: unknownValue(name, data, params), hint: { got: data, known: params.allowedValues } };
  }
  if (keyword === 'minItems' && path.at(-2) === 'sweep') return { path, message: `the sweep of ${name} has no values` };
  if (keyword === 'minItems' || (keyword === 'minLength' && data === '')) return { path, message: `${name} is empty` };
  if (!expects) return { path, message: `${name} must be a table` };
  return { path, message: `${name} must be ${expects}${isScalar(data) ? `, and is ${show(data)}` : ''}` };
}

const unknownValue = (name: string, value: unknown, { allowedValues }: TomlTable) =>
  allowedValues.includes('throughput_rps')
    ? `there is no metric ${show(value)}`
    : name === 'executor'
      ? `there is no executor ${show(value)}`
      : `${name} cannot be ${show(value)}`;

/** @param path of the table */
function badName(name: string, { keyword, params, parentSchema }: ErrorObject, path: Path): SchemaMessage {
  const at = { path: [...path, name], focus: 'key' as const };
  if (keyword === 'enum') {
    return { ...at, message: `there is no metric "${name}"`, hint: { got: name, known: params.allowedValues } };
  }
  if (keyword === 'not') {
    return { ...at, message: `"${name}" has a meaning of its own in placeholders or for the k6 driver` };
  }
  return { ...at, message: `"${name}" must be ${parentSchema?.['x-expects']}` };
}

/** What people may know from elsewhere and look for in vain. */
const insteadOf: Record<string, Record<string, string>> = {
  scenario: {
    exec: 'A function of your own is `script = "…"`.',
    startTime: 'Each scenario runs alone, from its own start.',
    env: 'Use [parameters].',
    tags: 'Requests are tagged by name and phase already; more needs a `script`.',
    options: "The options of k6 itself are the driver's.",
  },
  request: {
    path: 'The path goes with the method: get = "/".',
    url: 'The path goes with the method: get = "/". The URL is the environment\'s.',
    method: 'The method is the key of the path: get = "/".',
  },
};

function unknownKey(key: string, path: Path, schema: TomlTable): SchemaMessage {
  const at = { path: [...path, key], focus: 'key' as const };
  const properties = schema.properties ?? {};
  if (path[0] === 'profiles' && path[2] === 'scenarios' && notInProfiles.has(key)) {
    return {
      ...at,
      message: `a profile cannot change ${key}`,
      hint: 'It changes how much load there is and for how long, never what is sent or expected.',
    };
  }
  const kind = properties.executor ? 'scenario' : properties.get ? 'request' : '';
  const hint = insteadOf[kind]?.[key] ?? { got: key, known: Object.keys(properties) };
  return { ...at, message: `unknown key "${key}"`, hint };
}

/** The keys of a scenario that `profileKeys` leaves out. */
const notInProfiles = new Set([
  'title',
  'description',
  'environments',
  'status',
  'reason',
  'executor',
  'saturation',
  'requests',
  'script',
  'rows',
  'cookies',
  'connections',
  'error_cap',
  'mix_tolerance',
  'smoke',
  'checks',
  'thresholds',
  'charts',
  'compare',
  'groups',
  'per_user',
  'metrics',
  'service',
  'action',
]);

/**
 * A path in words.
 * @returns `scenario "hello"`
 */
function describe(path: Path, document: TomlTable): string {
  const [last, before] = [path.at(-1), path.at(-2)];
  if (last === undefined) return 'the file';
  const value = path.reduce((at, key) => at?.[key], document);
  const kinds = {
    scenarios: 'scenario',
    environments: 'environment',
    profiles: 'profile',
    services: 'service',
    requests: 'request',
    stages: 'stage',
    charts: 'chart',
    capture: 'captured value',
    faults: 'fault',
    tables: 'table',
    cells: 'cell',
    references: 'reference',
    attachments: 'attachment',
    metrics: 'metric',
    requires: 'requirement',
    links: 'link',
  } as Record<string, string>;
  const kind = kinds[String(before)];
  if (!kind) return showPath(path);
  if (typeof last === 'string') return `${kind} "${last}"`;
  return value?.name ? `${kind} "${value.name}"` : `${kind} ${last + 1}`;
}

/** The key that a value belongs to: an item is its list's. */
const nameOf = (path: Path) => {
  const [last = 'the file', list] = [path.at(-1), path.at(-2)];
  return typeof last === 'number' ? `${list}[${last}]` : last;
};

/** @param i of a list, one of its items */
const show = (data: unknown, i?: number) => JSON.stringify(i === undefined ? data : (data as unknown[])[i]);

const isScalar = (data: unknown) => ['string', 'number', 'boolean'].includes(typeof data);
