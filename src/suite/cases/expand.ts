import { readyNames } from './after-ready.js';
import { mergeCompare } from './compare.js';
import { type Environment, environmentReader } from './environment.js';
import { type Path, type Report, raise } from './error.js';
import { resolveExtends, writtenAt } from './extends.js';
import { withGenerators } from './generators.js';
import { caseName, nameProblem } from './names.js';
import { type OwnMetric, ownMetricsOf } from './own-metrics.js';
import { narrow, parameterNames, readParameters, refuseUnknown } from './parameters.js';
import { fillPlaceholders } from './placeholders.js';
import { applyProfile } from './profile.js';
import { layerPrometheus, readPrometheus } from './prometheus.js';
import { type Query, queriesOf, readQueries } from './queries.js';
import { ownsLoad, type Scenario, scenarioReader } from './scenario.js';
import { type K6Inspected, type OwnScenario, ownScenarios } from './script-options.js';
import { expandSweep, type Value } from './sweep.js';
import type { TomlTable } from './toml.js';

/**
 * One scenario in one environment with one value of every swept parameter; only ports, folders and secrets are still
 * placeholders; parts: into how many consecutive k6 processes each round is cut; side: of a duet; player: who sends declared
 * requests, where it is not k6's own client; lane: of a duet, where it is not solo; apart: each side of a duet has a k6
 * process of its own; turns: its users send while it is this side's turn; own_metrics: of a script, that thresholds or a gate name
 */
export type Case = Scenario &
  Environment & {
    system: string;
    environment: string;
    scenario: string;
    name: string;
    profile: string | null;
    values: Record<string, Value>;
    parameters: Record<string, Value>;
    compare: TomlTable;
    spec_dir: string;
    queries: Query[];
    parts: number;
    side: 'base' | 'head' | null;
    player?: 'native';
    search?: CaseSearch;
    lane?: Lane;
    apart?: boolean;
    turns?: Turns;
    own_metrics?: OwnMetric[];
  };

/**
 * of a duet: under the scenario's own load, with more work than can be done, or under the scenario's own load for a long time
 */
export type Lane = 'load' | 'saturation' | 'age';

/** Two sides of a duet take turns of so many seconds, by the clock of the machine; place: this one is the first or the second. */
type Turns = { turn_s: number; place: 0 | 1 };

/** How the load of a case was found; only where `find` did. */
type CaseSearch = { parameter: 'rate' | 'vus'; precision: number } & Record<string, unknown>;

export type ExpandOptions = {
  /** as `parseToml` gives it, valid by spec.schema.json */
  spec: TomlTable;
  /** bench.toml: its [compare], [prometheus] and [generators] */
  bench?: TomlTable;
  /** the name of the spec's folder */
  system: string;
  profile?: string | null;
  /** values of parameters and swept keys, as text from a command line */
  set?: Record<string, string | Value>;
  /** only this one */
  environment?: string;
  /** only this one */
  scenario?: string;
  /** reads what a script brings; without it a scenario whose load is in its script is an error */
  inspect?: Inspect;
};

/**
 * script: relative to the spec's folder; null: it cannot be read here, which is said elsewhere: there are no cases of it then
 */
export type Inspect = (
  script: string,
  env: Record<string, string>,
) => { options: K6Inspected } | { problem: string; hint?: string } | null;

/**
 * Expands a spec into its cases: profile, parameters, sweep, placeholders, defaults.
 * @returns in the order of the spec
 * @throws {SpecError} the first thing that is wrong, with the path of its key
 */
export const expandCases = (options: ExpandOptions): Case[] =>
  expand(options, (path, message, hint) => raise(writtenAt(options.spec.environments, path), message, hint));

/**
 * The same, and goes on after a problem. Paths are those of the spec with extended environments resolved.
 * @returns those that could be made
 */
export function expand(
  { spec, bench, system, profile = null, set = {}, environment, scenario, inspect }: ExpandOptions,
  report: Report,
): Case[] {
  const written = applyProfile(spec, profile, report);
  const merged: TomlTable = { ...written, environments: resolveExtends(written.environments, report) };
  refuseUnknown(set, parameterNames(spec), report);
  const environments = chosen('environment', merged.environments, environment, report);
  const scenarios = chosen('scenario', merged.scenarios, scenario, report);
  return environments.flatMap((environmentName) => {
    const parameters = readParameters(merged, environmentName, set, report);
    if (!merged.environments[environmentName].url) {
      report(['environments', environmentName], `environment "${environmentName}" has no "url"`, undefined, 'key');
    }
    const own = withPrometheus(merged.environments[environmentName], bench?.prometheus);
    const around = withGenerators(own, bench?.generators);
    const readAround = environmentReader(around, ['environments', environmentName], report);
    const context = {
      merged,
      bench,
      system,
      profile,
      set,
      parameters,
      readAround,
      inspect,
      environment: environmentName,
    };
    return scenarios
      .filter((name) => runsIn(merged.scenarios[name], environmentName))
      .flatMap((name) => expandScenario(name, context, report));
  });
}

/** The name by which the scenarios of one script are told apart, like the values of a sweep. */
const ofScript = 'scenario';

/**
 * Reads what the script of a scenario brings, where the load is the script's.
 * @param path of the scenario
 * @returns all: its scenarios, null: they cannot be read here; one: that of a case
 */
function ownReader(
  written: TomlTable,
  { inspect }: { inspect?: Inspect },
  path: Path,
  report: Report,
): {
  all: (env: TomlTable) => OwnScenario[] | null;
  one: (values: Record<string, unknown>, env: TomlTable) => OwnScenario | null;
} {
  if (!ownsLoad(written)) return { all: () => [], one: () => null };
  const said: Set<string> = new Set();
  const all = (env: TomlTable) => {
    const texts = Object.entries(env).map(([name, value]) => [name, String(value)]);
    const found = inspect
      ? inspect(written.script, Object.fromEntries(texts))
      : { problem: 'the load is in the script, which only `benchfolio` reads', hint: 'Run the script itself with k6.' };
    if (found === null) return null;
    if ('options' in found) return ownScenarios(found.options);
    if (!said.has(found.problem)) report([...path, 'script'], found.problem, found.hint);
    said.add(found.problem);
    return [];
  };
  return {
    all,
    one: (values, env) => {
      const scenarios = all(env) ?? [];
      const own =
        scenarios.find(({ name }) => name === values[ofScript]) ?? (scenarios.length === 1 ? scenarios[0] : null);
      if (own === null && scenarios.length > 0) {
        report(
          [...path, 'script'],
          'the scenarios of the script are others with other variables',
          'Let them be the same.',
        );
      }
      return own;
    },
  };
}

/** Several scenarios of one script are cases of their own. */
function withOwnScenarios(
  combinations: Record<string, Value>[],
  names: string[],
  path: Path,
  report: Report,
): Record<string, Value>[] {
  if (names.length < 2) return combinations;
  if (combinations.some((values) => Object.hasOwn(values, ofScript))) {
    report(
      [...path, ofScript],
      'the script has several scenarios, which are told apart by that name',
      'Choose another name.',
      'key',
    );
    return combinations;
  }
  return combinations.flatMap((values) => names.map((name) => ({ ...values, [ofScript]: name })));
}

/** bench.toml's lies under the environment's. */
const withPrometheus = (environment: TomlTable, everywhere: TomlTable | undefined) =>
  everywhere ? { ...environment, prometheus: layerPrometheus(everywhere, environment.prometheus) } : environment;

/** The environment of a scenario when none is asked for: the first of the spec that it runs in. */
export const defaultEnvironment = (spec: TomlTable, scenario: string): string | undefined =>
  Object.keys(spec.environments).find((environment) => runsIn(spec.scenarios[scenario], environment));

const runsIn = (scenario: TomlTable, environment: string) => scenario.environments?.includes(environment) ?? true;

function chosen(kind: string, table: TomlTable, name: string | undefined, report: Report): string[] {
  const known = Object.keys(table);
  if (name === undefined) return known;
  if (known.includes(name)) return [name];
  report([], `there is no ${kind} "${name}"`, { got: name, known });
  return [];
}

function expandScenario(
  scenario: string,
  context: {
    merged: TomlTable;
    bench?: TomlTable;
    system: string;
    profile: string | null;
    set: Record<string, string | Value>;
    parameters: Record<string, Value>;
    environment: string;
    readAround: ReturnType<typeof environmentReader>;
    inspect?: Inspect;
  },
  report: Report,
): Case[] {
  const { merged, bench, system, profile, set, parameters, readAround, environment } = context;
  const written = merged.scenarios[scenario];
  const path = ['scenarios', scenario];
  const sweep = fillPlaceholders(written.sweep ?? {}, parameters, { path: [...path, 'sweep'], report });
  const own = ownReader(written, context, path, report);
  // An error in it is reported once, where each case fills all of it.
  const fixed = fillPlaceholders(written.env ?? {}, parameters, {
    leave: (name) => !Object.hasOwn(parameters, name),
    report: () => {},
  });
  const brought = own.all(fixed);
  if (brought === null) return [];
  const combinations = withOwnScenarios(
    narrow(expandSweep(sweep, [...path, 'sweep'], report), set, report),
    brought.map((ownScenario) => ownScenario.name),
    [...path, 'sweep'],
    report,
  );
  const compare = mergeCompare([bench?.compare, merged.compare, written.compare]);
  const queries = queriesOf(merged, scenario);
  const names = queries.map((query) => query.name);
  const readers: Map<Environment, ReturnType<typeof scenarioReader>> = new Map();
  const cases = combinations.map((combination) => {
    const values = Object.fromEntries(
      Object.keys(combination)
        .sort()
        .map((key) => [key, combination[key]]),
    );
    const scope = { ...parameters, ...values };
    const around = readAround(scope);
    const { services } = around;
    const read =
      readers.get(around) ??
      scenarioReader(written, {
        name: scenario,
        environment,
        services,
        target: { baseUrl: around.url, hosts: around.hosts },
        ready: readyNames(around.after_ready),
        queries: names,
        own: own.one,
        path,
        report,
      });
    readers.set(around, read);
    const name = caseName(scenario, values);
    const sent = read(scope);
    const own_metrics = ownMetricsOf(sent, compare);
    return {
      system,
      environment,
      scenario,
      name,
      profile,
      values,
      parameters: scope,
      ...around,
      ...sent,
      ...(own_metrics.length > 0 && { own_metrics }),
      ...(around.generators && { instances: around.generators.kubernetes.parallelism }), // pods are these
      compare,
      spec_dir: `specs/${system}`,
      parts: 1,
      side: null,
      queries: queries.length
        ? readQueries(
            queries,
            {
              scope: { ...scope, system, environment, scenario, case: name },
              services,
              environment,
            },
            report,
          )
        : [],
      prometheus: around.prometheus ?? (queries.length ? readPrometheus({}, [], report) : null),
    };
  });
  const problem = nameProblem(cases);
  if (problem) report([...path, 'sweep'], problem);
  return cases;
}
