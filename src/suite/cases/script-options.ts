import { executors, keysOf } from './executors.js';
import { subMetricName, trySubMetric } from './sub-metric.js';
import type { TomlTable } from './toml.js';

/**
 * What a k6 script that brings its own `options` says of itself, as a spec would write it.
 * what `k6 inspect --execution-requirements` prints
 */
export type K6Inspected = { scenarios?: Record<string, K6Scenario>; thresholds?: Record<string, K6Threshold[]> };

/** K6 prints each key, those that were not given with null. */
type K6Scenario = {
  executor: string;
  exec?: string | null;
  env?: Record<string, string> | null;
  tags?: Record<string, string> | null;
  [key: string]: unknown;
};

type K6Threshold = string | { threshold: string; abortOnFail?: boolean; delayAbortEval?: string | null };

/** One of options.scenarios; `default` where the script uses the short forms (vus, duration, stages) */
export type OwnScenario = {
  name: string;
  /** keys of a scenario of a spec: executor, vus, stages, … */
  load: TomlTable;
  /** the function that is an iteration; null: the default one */
  exec: string | null;
  /** variables of this scenario */
  env: Record<string, string>;
  /** of its samples */
  tags: Record<string, string>;
  /** as a spec writes them: those of all scenarios, and of this one */
  thresholds: Record<string, TomlTable[]>;
};

/**
 * The scenarios of a script. Each becomes a case that is measured alone: `startTime` says nothing then.
 * @returns in the order of their names, as k6 gives them
 */
export const ownScenarios = (options: K6Inspected): OwnScenario[] =>
  Object.entries(options.scenarios ?? {}).map(([name, scenario]) => ({
    name,
    load: loadOf(scenario),
    exec: scenario.exec ?? null,
    env: scenario.env ?? {},
    tags: scenario.tags ?? {},
    thresholds: thresholdsOf(options.thresholds ?? {}, name, Object.keys(options.scenarios ?? {}).length > 1),
  }));

function loadOf({ executor, ...scenario }: K6Scenario): TomlTable {
  // Whoever reads it says that there is no such executor in a spec.
  const known = Object.hasOwn(executors, executor) ? keysOf(executor) : [];
  const given = known.filter((key) => scenario[key] !== null && scenario[key] !== undefined);
  return { executor, ...Object.fromEntries(given.map((key) => [key, scenario[key]])) };
}

/**
 * A threshold on a scenario, by the tag that k6 gives its samples, is of that one alone.
 * @param shared the script has several scenarios: what one of them never does may be what another does
 */
function thresholdsOf(
  written: Record<string, K6Threshold[]>,
  scenario: string,
  shared: boolean,
): Record<string, TomlTable[]> {
  const own: Record<string, TomlTable[]> = {};
  for (const [key, entries] of Object.entries(written)) {
    const name = withoutScenario(key, scenario);
    if (name === null) continue;
    const said = entries.map((entry) => {
      const { threshold, abortOnFail, delayAbortEval } = (typeof entry === 'string' ? { threshold: entry } : entry) as {
        threshold: string;
        abortOnFail?: boolean;
        delayAbortEval?: string | null;
      };
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

/** @returns null: it is of another scenario */
function withoutScenario(key: string, scenario: string): string | null {
  const read = trySubMetric(key);
  if (read === null) return key; // whoever reads thresholds says what is wrong with it
  const { scenario: of, ...selector } = read.selector;
  return of === undefined || of === scenario ? subMetricName({ ...read, selector }) : null;
}
