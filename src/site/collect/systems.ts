import { dirname } from 'node:path';
import { mergeCompare } from '../../suite/cases/compare.js';
import { resolveExtends } from '../../suite/cases/extends.js';
import { isTable } from '../../suite/cases/profile.js';
import { expandSweep } from '../../suite/cases/sweep.js';
import type { TomlTable } from '../../suite/cases/toml.js';
import { isName } from '../../suite/record-names.js';
import { openSpec, type Suite, specPath, systemNames } from '../../suite/suite.js';
import {
  type Attachment,
  attachmentsOf,
  type ChartSpec,
  listOf,
  type Reference,
  referencesOf,
  type TableSpec,
  withFiles,
} from './declared-parts.js';

/**
 * What the pages say of a system, as its spec has it. spec: its text, null when there is none; gate: the metrics that
 * can fail a comparison; headline: what the first page shows.
 */
export type System = {
  name: string;
  title: string;
  description: string;
  about: Record<string, string[]>;
  headline: Headline | null;
  environments: EnvironmentSummary[];
  scenarios: ScenarioSummary[];
  spec: string | null;
  tables: TableSpec[];
  charts: ChartSpec[];
  references: Reference[];
  attachments: Attachment[];
};

type EnvironmentSummary = {
  name: string;
  title: string;
  url: string;
  network: string;
  services: { name: string; command: string }[];
};

/**
 * environments: the ones it is for, null for all; cases: the combinations of values that it or one of its profiles has, as
 * combinationKey has them; null: not to be known
 */
export type ScenarioSummary = {
  name: string;
  title: string;
  description: string;
  executor: string;
  load: string;
  sweep: string[];
  status: string | null;
  reason: string | null;
  charts: ChartSpec[];
  gate: string[];
  environments: string[] | null;
  cases: ReadonlySet<string> | null;
};

/** environment: null for the first that there is; values: of swept keys */
export type Headline = { scenario: string; environment: string | null; values: Record<string, string>; metric: string };

/**
 * The systems of a suite, and those that only records know.
 * @param recorded the systems of the records
 * @param refuse gets a spec that cannot be read
 * @returns by name
 */
export function readSystems(
  suite: Suite,
  recorded: string[],
  refuse: (file: string, message: string) => void,
): System[] {
  const named = usable(systemNames(suite), (name, problem) => refuse(specPath(suite, name), problem));
  const names = [...new Set([...named, ...recorded])].sort();
  return names.map((name) => (named.has(name) ? readSystem(suite, name, refuse) : unknownSystem(name)));
}

/** Names that can be addresses, and are not another's in other capitals. */
function usable(names: string[], refuse: (name: string, problem: string) => void): Set<string> {
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

const unknownSystem = (name: string): System => ({
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

function readSystem(suite: Suite, name: string, refuse: (file: string, message: string) => void): System {
  const file = specPath(suite, name);
  try {
    const { text, spec, error } = openSpec(suite, name);
    if (error) throw error;
    const listed = (key: 'tables' | 'charts' | 'references' | 'attachments') =>
      listOf(spec, key, (message) => refuse(file, message));
    const folder = dirname(file);
    const { scenarios, ...system } = systemOf(name, text, spec, suite.bench.compare);
    return {
      ...system,
      tables: listed('tables') as TableSpec[],
      charts: withFiles(folder, listed('charts')),
      scenarios: scenarios.map((scenario) => ({ ...scenario, charts: withFiles(folder, scenario.charts) })),
      references: referencesOf(listed('references')),
      attachments: attachmentsOf(folder, listed('attachments'), refuse),
    };
  } catch (error) {
    refuse(file, (error as Error).message.split('\n')[0]);
    return unknownSystem(name);
  }
}

/**
 * @param text of the spec
 * @param compare of bench.toml
 */
function systemOf(
  name: string,
  text: string,
  spec: TomlTable,
  compare?: TomlTable,
): Omit<System, 'tables' | 'charts' | 'references' | 'attachments'> {
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
    scenarios: Object.entries<TomlTable>(spec.scenarios ?? {}).map(([key, scenario]) =>
      scenarioOf(key, scenario, {
        gate: mergeCompare([compare, spec.compare, scenario.compare]).gate,
        sweeps: Object.values<TomlTable>(spec.profiles ?? {}).map((profile) => profile?.scenarios?.[key]?.sweep),
      }),
    ),
  };
}

/** What a spec says of itself and of its profiles. */
const aboutOf = ({ about = {}, profiles = {} }: TomlTable) =>
  Object.fromEntries(
    [
      ...Object.entries(about),
      ...Object.entries<TomlTable>(profiles).map(([name, profile]) => [`profile ${name}`, profile?.description ?? []]),
    ]
      .map(([key, text]) => [key, [text].flat().map(String)])
      .filter(([, texts]) => texts.length),
  );

const headlineOf = (written: TomlTable | undefined): Headline | null =>
  typeof written?.scenario === 'string' && typeof written.metric === 'string'
    ? {
        scenario: written.scenario,
        environment: written.environment === undefined ? null : String(written.environment),
        values: Object.fromEntries(Object.entries(written.set ?? {}).map(([key, value]) => [key, String(value)])),
        metric: written.metric,
      }
    : null;

const environmentOf = (
  name: string,
  { title = name, url = '', network = {}, services = [] }: TomlTable,
): EnvironmentSummary => ({
  name,
  title: String(title),
  url: String(url),
  network: asWritten(network),
  services: services.map((service: TomlTable) => ({
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

/** @param more sweeps: those of profiles */
const scenarioOf = (
  name: string,
  scenario: TomlTable,
  { gate, sweeps }: { gate: string[]; sweeps: (TomlTable | undefined)[] },
): ScenarioSummary => ({
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
 * @param sweep of a scenario
 * @param others those of profiles, which set some of its keys or all of it
 */
function casesOf(sweep: TomlTable | undefined, others: (TomlTable | undefined)[]): ReadonlySet<string> | null {
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
 * @param values of swept keys
 * @returns the same for equal values in any order, numbers or texts
 */
export const combinationKey = (values: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(values)
      .map(([key, value]) => [key, String(value)])
      .sort(),
  );

function asWritten(value: unknown): string {
  if (Array.isArray(value)) return value.map(asWritten).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${asWritten(inner)}`)
    .join(' ');
}
