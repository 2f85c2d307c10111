import { executors, keysOf } from './executors.js';
import { subMetricName, trySubMetric } from './sub-metric.js';

/** @import { TomlTable } from './toml.js' */

/**
 * What a k6 script that brings its own `options` says of itself, as a spec would write it.
 *
 * @typedef {{ scenarios?: Record<string, K6Scenario>, thresholds?: Record<string, K6Threshold[]> }} K6Inspected what
 *   `k6 inspect --execution-requirements` prints
 * @typedef {{ executor: string, exec?: string | null, env?: Record<string, string> | null, tags?: Record<string, string> | null,
 *   [key: string]: unknown }} K6Scenario k6 prints each key, those that were not given with null
 * @typedef {string | { threshold: string, abortOnFail?: boolean, delayAbortEval?: string | null }} K6Threshold
 * @typedef {object} OwnScenario one of options.scenarios; `default` where the script uses the short forms (vus, duration, stages)
 * @property {string} name
 * @property {TomlTable} load keys of a scenario of a spec: executor, vus, stages, …
 * @property {string | null} exec the function that is an iteration; null: the default one
 * @property {Record<string, string>} env variables of this scenario
 * @property {Record<string, string>} tags of its samples
 * @property {Record<string, TomlTable[]>} thresholds as a spec writes them: those of all scenarios, and of this one
 */

/**
 * The scenarios of a script. Each becomes a case that is measured alone: `startTime` says nothing then.
 * @param {K6Inspected} options
 * @returns {OwnScenario[]} in the order of their names, as k6 gives them
 */
export const ownScenarios = (options) =>
  Object.entries(options.scenarios ?? {}).map(([name, scenario]) => ({
    name,
    load: loadOf(scenario),
    exec: scenario.exec ?? null,
    env: scenario.env ?? {},
    tags: scenario.tags ?? {},
    thresholds: thresholdsOf(options.thresholds ?? {}, name, Object.keys(options.scenarios ?? {}).length > 1),
  }));

/** @param {K6Scenario} scenario @returns {TomlTable} */
function loadOf({ executor, ...scenario }) {
  // Whoever reads it says that there is no such executor in a spec.
  const known = Object.hasOwn(executors, executor) ? keysOf(executor) : [];
  const given = known.filter((key) => scenario[key] !== null && scenario[key] !== undefined);
  return { executor, ...Object.fromEntries(given.map((key) => [key, scenario[key]])) };
}

/**
 * A threshold on a scenario, by the tag that k6 gives its samples, is of that one alone.
 * @param {Record<string, K6Threshold[]>} written
 * @param {string} scenario
 * @param {boolean} shared the script has several scenarios: what one of them never does may be what another does
 * @returns {Record<string, TomlTable[]>}
 */
function thresholdsOf(written, scenario, shared) {
  /** @type {Record<string, TomlTable[]>} */
  const own = {};
  for (const [key, entries] of Object.entries(written)) {
    const name = withoutScenario(key, scenario);
    if (name === null) continue;
    const said = entries.map((entry) => {
      const { threshold, abortOnFail, delayAbortEval } =
        /** @type {{ threshold: string, abortOnFail?: boolean, delayAbortEval?: string | null }} */ (
          typeof entry === 'string' ? { threshold: entry } : entry
        );
      return {
        expr: threshold,
        ...(abortOnFail && { abort_on_fail: true }),
        ...(abortOnFail && delayAbortEval && { delay_abort_eval: delayAbortEval }),
        ...(shared && { optional: true }),
      };
    });
    own[name] = [...(own[name] ?? []), ...said];
  }
  return own;
}

/** @param {string} key @param {string} scenario @returns {string | null} null: it is of another scenario */
function withoutScenario(key, scenario) {
  const read = trySubMetric(key);
  if (read === null) return key; // whoever reads thresholds says what is wrong with it
  const { scenario: of, ...selector } = read.selector;
  return of === undefined || of === scenario ? subMetricName({ ...read, selector }) : null;
}
