import { dirname } from 'node:path';
import { mergeCompare } from '../../suite/cases/compare.js';
import { resolveExtends } from '../../suite/cases/extends.js';
import { isTable } from '../../suite/cases/profile.js';
import { expandSweep } from '../../suite/cases/sweep.js';
import { isName } from '../../suite/record-names.js';
import { openSpec, specPath, systemNames } from '../../suite/suite.js';
import { attachmentsOf, listOf, referencesOf, withFiles } from './declared-parts.js';

/** @import { TomlTable } from '../../suite/cases/toml.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { Attachment, ChartSpec, Reference, TableSpec } from './declared-parts.js' */

/**
 * What the pages say of a system, as its spec has it. spec: its text, null when there is none; gate: the metrics that
 * can fail a comparison; headline: what the first page shows.
 * @typedef {{ name: string, title: string, description: string, about: Record<string, string[]>,
 *   headline: Headline | null, environments: EnvironmentSummary[], scenarios: ScenarioSummary[], spec: string | null, tables: TableSpec[], charts: ChartSpec[],
 *   references: Reference[], attachments: Attachment[] }} System
 * @typedef {{ name: string, title: string, url: string, network: string, services: { name: string, command: string }[] }} EnvironmentSummary
 * @typedef {{ name: string, title: string, description: string, executor: string, load: string, sweep: string[],
 *   status: string | null, reason: string | null, charts: ChartSpec[], gate: string[],
 *   environments: string[] | null, cases: ReadonlySet<string> | null }} ScenarioSummary environments: the ones it is for, null for all;
 *   cases: the combinations of values that it or one of its profiles has, as combinationKey has them; null: not to be known
 * @typedef {{ scenario: string, environment: string | null, values: Record<string, string>, metric: string }} Headline environment: null
 *   for the first that there is; values: of swept keys
 */

/**
 * The systems of a suite, and those that only records know.
 * @param {Suite} suite
 * @param {string[]} recorded the systems of the records
 * @param {(file: string, message: string) => void} refuse gets a spec that cannot be read
 * @returns {System[]} by name
 */
export function readSystems(suite, recorded, refuse) {
  const named = usable(systemNames(suite), (name, problem) => refuse(specPath(suite, name), problem));
  const names = [...new Set([...named, ...recorded])].sort();
  return names.map((name) => (named.has(name) ? readSystem(suite, name, refuse) : unknownSystem(name)));
}

/**
 * Names that can be addresses, and are not another's in other capitals.
 * @param {string[]} names
 * @param {(name: string, problem: string) => void} refuse
 * @returns {Set<string>}
 */
function usable(names, refuse) {
  const known = new Set();
  return new Set(
    names.filter((name) => {
      const problem = !isName(name)
        ? `${JSON.stringify(name)} cannot be the name of a system`
        : known.has(name.toLowerCase())
          ? 'another system has this name, but for its capitals'
          : null;
      known.add(name.toLowerCase());
      if (problem) refuse(name, problem);
      return problem === null;
    }),
  );
}

/** @param {string} name @returns {System} */
const unknownSystem = (name) => ({
  name,
  title: name,
  description: '',
  about: {},
  headline: null,
  environments: [],
  scenarios: [],
  spec: null,
  tables: [],
  charts: [],
  references: [],
  attachments: [],
});

/**
 * @param {Suite} suite
 * @param {string} name
 * @param {(file: string, message: string) => void} refuse
 * @returns {System}
 */
function readSystem(suite, name, refuse) {
  const file = specPath(suite, name);
  try {
    const { text, spec, error } = openSpec(suite, name);
    if (error) throw error;
    const listed = (/** @type {'tables' | 'charts' | 'references' | 'attachments'} */ key) =>
      listOf(spec, key, (message) => refuse(file, message));
    const folder = dirname(file);
    const { scenarios, ...system } = systemOf(name, text, spec, suite.bench.compare);
    return {
      ...system,
      tables: /** @type {TableSpec[]} */ (listed('tables')),
      charts: withFiles(folder, listed('charts')),
      scenarios: scenarios.map((scenario) => ({ ...scenario, charts: withFiles(folder, scenario.charts) })),
      references: referencesOf(listed('references')),
      attachments: attachmentsOf(folder, listed('attachments'), refuse),
    };
  } catch (error) {
    refuse(file, /** @type {Error} */ (error).message.split('\n')[0]);
    return unknownSystem(name);
  }
}

/**
 * @param {string} name
 * @param {string} text of the spec
 * @param {TomlTable} spec
 * @param {TomlTable} [compare] of bench.toml
 * @returns {Omit<System, 'tables' | 'charts' | 'references' | 'attachments'>}
 */
function systemOf(name, text, spec, compare) {
  return {
    name,
    title: String(spec.title ?? name),
    description: String(spec.description ?? ''),
    spec: text,
    about: aboutOf(spec),
    headline: headlineOf(spec.headline),
    environments: Object.entries(resolveExtends(spec.environments ?? {}, () => {})).map(([key, environment]) =>
      environmentOf(key, environment),
    ),
    scenarios: Object.entries(spec.scenarios ?? {}).map(([key, scenario]) =>
      scenarioOf(key, scenario, {
        gate: mergeCompare([compare, spec.compare, scenario.compare]).gate,
        sweeps: Object.values(spec.profiles ?? {}).map((profile) => profile?.scenarios?.[key]?.sweep),
      }),
    ),
  };
}

/** What a spec says of itself and of its profiles. @param {TomlTable} spec */
const aboutOf = ({ about = {}, profiles = {} }) =>
  Object.fromEntries(
    [
      ...Object.entries(about),
      ...Object.entries(profiles).map(([name, profile]) => [`profile ${name}`, profile?.description ?? []]),
    ]
      .map(([key, text]) => [key, [text].flat().map(String)])
      .filter(([, texts]) => texts.length),
  );

/** @param {TomlTable | undefined} written @returns {Headline | null} */
const headlineOf = (written) =>
  typeof written?.scenario === 'string' && typeof written.metric === 'string'
    ? {
        scenario: written.scenario,
        environment: written.environment === undefined ? null : String(written.environment),
        values: Object.fromEntries(Object.entries(written.set ?? {}).map(([key, value]) => [key, String(value)])),
        metric: written.metric,
      }
    : null;

/** @param {string} name @param {TomlTable} environment @returns {EnvironmentSummary} */
const environmentOf = (name, { title = name, url = '', network = {}, services = [] }) => ({
  name,
  title: String(title),
  url: String(url),
  network: asWritten(network),
  services: services.map((/** @type {TomlTable} */ service) => ({
    name: String(service.name),
    command: [service.command ?? service.container?.image ?? []].flat().join(' '),
  })),
});

/** What k6 gets of the load; the rest of a scenario is ours. */
const loadKeys = [
  'vus',
  'iterations',
  'rate',
  'timeUnit',
  'startRate',
  'startVUs',
  'stages',
  'duration',
  'maxDuration',
  'preAllocatedVUs',
  'maxVUs',
];

/**
 * @param {string} name
 * @param {TomlTable} scenario
 * @param {{ gate: string[], sweeps: (TomlTable | undefined)[] }} more sweeps: those of profiles
 * @returns {ScenarioSummary}
 */
const scenarioOf = (name, scenario, { gate, sweeps }) => ({
  name,
  title: String(scenario.title ?? name),
  description: String(scenario.description ?? ''),
  executor: String(scenario.executor ?? ''),
  load: loadKeys
    .filter((key) => key in scenario)
    .map((key) => `${key} ${asWritten(scenario[key])}`)
    .join(', '),
  sweep: Array.isArray(scenario.sweep)
    ? scenario.sweep.map(asWritten)
    : Object.entries(scenario.sweep ?? {}).map(([key, values]) => `${key} ${asWritten(values)}`),
  status: scenario.status ?? null,
  reason: scenario.reason ?? null,
  charts: scenario.charts ?? [],
  gate,
  environments: scenario.environments ?? null,
  cases: casesOf(scenario.sweep, sweeps),
});

/**
 * @param {TomlTable | undefined} sweep of a scenario
 * @param {(TomlTable | undefined)[]} others those of profiles, which set some of its keys or all of it
 * @returns {ReadonlySet<string> | null}
 */
function casesOf(sweep, others) {
  const all = [
    sweep ?? {},
    ...others
      .filter((other) => other !== undefined)
      .map((other) => (isTable(other) && isTable(sweep) ? { ...sweep, ...other } : other)),
  ];
  if (JSON.stringify(all).includes('${')) return null; // values of parameters, which a run may set
  try {
    let isKnown = true;
    const combinations = all.flatMap((table) => expandSweep(table, [], () => (isKnown = false)));
    return isKnown ? new Set(combinations.map(combinationKey)) : null;
  } catch {
    return null; // a spec with errors: `check` says which
  }
}

/**
 * @param {Record<string, unknown>} values of swept keys
 * @returns {string} the same for equal values in any order, numbers or texts
 */
export const combinationKey = (values) =>
  JSON.stringify(
    Object.entries(values)
      .map(([key, value]) => [key, String(value)])
      .sort(),
  );

/** @param {unknown} value @returns {string} */
function asWritten(value) {
  if (Array.isArray(value)) return value.map(asWritten).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${asWritten(inner)}`)
    .join(' ');
}
