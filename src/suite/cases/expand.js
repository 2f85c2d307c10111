import { readyNames } from './after-ready.js';
import { mergeCompare } from './compare.js';
import { environmentReader } from './environment.js';
import { raise } from './error.js';
import { resolveExtends, writtenAt } from './extends.js';
import { withGenerators } from './generators.js';
import { caseName, nameProblem } from './names.js';
import { ownMetricsOf } from './own-metrics.js';
import { narrow, parameterNames, readParameters, refuseUnknown } from './parameters.js';
import { fillPlaceholders } from './placeholders.js';
import { applyProfile } from './profile.js';
import { layerPrometheus, readPrometheus } from './prometheus.js';
import { queriesOf, readQueries } from './queries.js';
import { ownsLoad, scenarioReader } from './scenario.js';
import { ownScenarios } from './script-options.js';
import { expandSweep } from './sweep.js';

/** @import { Environment } from './environment.js' */
/** @import { Path, Report, SpecError } from './error.js' */
/** @import { OwnMetric } from './own-metrics.js' */
/** @import { Query } from './queries.js' */
/** @import { Scenario } from './scenario.js' */
/** @import { K6Inspected, OwnScenario } from './script-options.js' */
/** @import { Value } from './sweep.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {Scenario & Environment & {
 *   system: string, environment: string, scenario: string, name: string, profile: string | null,
 *   values: Record<string, Value>, parameters: Record<string, Value>, compare: TomlTable, spec_dir: string,
 *   queries: Query[], parts: number, side: 'base' | 'head' | null, player?: 'native',
 *   search?: CaseSearch, lane?: Lane, apart?: boolean, own_metrics?: OwnMetric[],
 * }} Case one scenario in one environment with one value of every swept parameter; only ports, folders and secrets
 *   are still placeholders; parts: into how many consecutive k6 processes each round is cut; side: of a duet; player: who sends
 *   declared requests, where it is not k6's own client; lane: of a duet, where it is not solo; apart: each side of a
 *   duet has a k6 process of its own; own_metrics: of a script, that thresholds or a gate name
 *
 * @typedef {'load' | 'saturation' | 'age'} Lane of a duet: under the scenario's own load, with more work than can be done, or under
 *   the scenario's own load for a long time
 *
 * @typedef {{ parameter: 'rate' | 'vus', precision: number } & Record<string, unknown>} CaseSearch by which its load was found;
 *   only where `find` did
 *
 * @typedef {object} ExpandOptions
 * @property {TomlTable} spec as `parseToml` gives it, valid by spec.schema.json
 * @property {TomlTable} [bench] bench.toml: its [compare], [prometheus] and [generators]
 * @property {string} system the name of the spec's folder
 * @property {string | null} [profile]
 * @property {Record<string, string | Value>} [set] values of parameters and swept keys, as text from a command line
 * @property {string} [environment] only this one
 * @property {string} [scenario] only this one
 * @property {Inspect} [inspect] reads what a script brings; without it a scenario whose load is in its script is an error
 *
 * @typedef {(script: string, env: Record<string, string>) => { options: K6Inspected }
 *   | { problem: string, hint?: string } | null} Inspect script: relative to the spec's folder; null: it cannot be read here, which is
 *   said elsewhere: there are no cases of it then
 */

/**
 * Expands a spec into its cases: profile, parameters, sweep, placeholders, defaults.
 * @param {ExpandOptions} options
 * @returns {Case[]} in the order of the spec
 * @throws {SpecError} the first thing that is wrong, with the path of its key
 */
export const expandCases = (options) =>
  expand(options, (path, message, hint) => raise(writtenAt(options.spec.environments, path), message, hint));

/**
 * The same, and goes on after a problem. Paths are those of the spec with extended environments resolved.
 * @param {ExpandOptions} options
 * @param {Report} report
 * @returns {Case[]} those that could be made
 */
export function expand({ spec, bench, system, profile = null, set = {}, environment, scenario, inspect }, report) {
  const written = applyProfile(spec, profile, report);
  /** @type {TomlTable} */
  const merged = { ...written, environments: resolveExtends(written.environments, report) };
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
 * @param {TomlTable} written
 * @param {{ inspect?: Inspect }} context
 * @param {Path} path of the scenario
 * @param {Report} report
 * @returns {{ all: (env: TomlTable) => OwnScenario[] | null, one: (values: Record<string, unknown>, env: TomlTable) => OwnScenario | null }}
 *   all: its scenarios, null: they cannot be read here; one: that of a case
 */
function ownReader(written, { inspect }, path, report) {
  if (!ownsLoad(written)) return { all: () => [], one: () => null };
  /** @type {Set<string>} */
  const said = new Set();
  const all = (/** @type {TomlTable} */ env) => {
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

/**
 * Several scenarios of one script are cases of their own.
 * @param {Record<string, Value>[]} combinations
 * @param {string[]} names
 * @param {Path} path
 * @param {Report} report
 * @returns {Record<string, Value>[]}
 */
function withOwnScenarios(combinations, names, path, report) {
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

/** bench.toml's lies under the environment's. @param {TomlTable} environment @param {TomlTable | undefined} everywhere */
const withPrometheus = (environment, everywhere) =>
  everywhere ? { ...environment, prometheus: layerPrometheus(everywhere, environment.prometheus) } : environment;

/**
 * The environment of a scenario when none is asked for: the first of the spec that it runs in.
 * @param {TomlTable} spec
 * @param {string} scenario
 * @returns {string | undefined}
 */
export const defaultEnvironment = (spec, scenario) =>
  Object.keys(spec.environments).find((environment) => runsIn(spec.scenarios[scenario], environment));

/** @param {TomlTable} scenario @param {string} environment */
const runsIn = (scenario, environment) => scenario.environments?.includes(environment) ?? true;

/**
 * @param {string} kind
 * @param {TomlTable} table
 * @param {string | undefined} name
 * @param {Report} report
 * @returns {string[]}
 */
function chosen(kind, table, name, report) {
  const known = Object.keys(table);
  if (name === undefined) return known;
  if (known.includes(name)) return [name];
  report([], `there is no ${kind} "${name}"`, { got: name, known });
  return [];
}

/**
 * @param {string} scenario
 * @param {{ merged: TomlTable, bench?: TomlTable, system: string, profile: string | null,
 *   set: Record<string, string | Value>, parameters: Record<string, Value>, environment: string,
 *   readAround: ReturnType<typeof environmentReader>, inspect?: Inspect }} context
 * @param {Report} report
 * @returns {Case[]}
 */
function expandScenario(scenario, context, report) {
  const { merged, bench, system, profile, set, parameters, readAround, environment } = context;
  const written = merged.scenarios[scenario];
  const path = ['scenarios', scenario];
  const sweep = fillPlaceholders(written.sweep ?? {}, parameters, { path: [...path, 'sweep'], report });
  const own = ownReader(written, context, path, report);
  // What is wrong in it is reported once, where each case fills all of it.
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
  /** @type {Map<Environment, ReturnType<typeof scenarioReader>>} */
  const readers = new Map();
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
