// The native player's entry: declared requests, sent by k6 itself, without JavaScript in between. It takes what
// k6/main.js takes, and a k6 that has the extension k6/x/benchfolio in it (`benchfolio tools` builds one):
//
//   k6 run -e SPEC=specs/express/spec.toml -e SCENARIO=hello -e BASE_URL=http://127.0.0.1:3000 k6/native.js
//
// Also read: HISTOGRAMS, a file for what was counted each second and in all (k6/native/README.md has its format).

import { judgedMetrics, judgedTag, knownTags, plan, summary } from 'k6/x/benchfolio';
import { parseSubMetric, subMetricName } from '../dist/suite/cases/sub-metric.js';
import { load, options as planned, handleSummary as summarize } from './plan.js';
import { refuse } from './shared/refuse.js';

/**
 * @typedef {{ type: string, contains: string, values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }}
 *   Metric
 * @typedef {{ metrics: Record<string, Metric>, state: { testRunDurationMs: number } }} Data as k6 hands it to handleSummary
 */

if (load.script) {
  refuse(`scenario ${load.scenario} is a script: run ${load.script} in place of k6/native.js, with the same -e`);
}

/** The spec's name of each metric that k6 has by another. @type {Record<string, string>} */
const names = {};

export const options = __VU === 0 ? nativeOptions() : {};

/** k6 has it of itself. */
const expected = 'http_req_duration{expected_response:true}';

/**
 * What only this player has: how late it was, at an arrival rate latencies from when an iteration was due, and how many
 * connections it opened, in a duet to each side.
 */
const own = [
  ...['bench_lateness', ...(load.isOpen ? ['bench_intended_duration'] : [])].flatMap((name) => [
    name,
    `${name}{phase:steady}`,
  ]),
  ...(load.headUrl === null ? [''] : [',side:base', ',side:head']).map(
    (side) => `bench_connections{phase:steady${side}}`,
  ),
];

/** Never called: the executor has users of its own. k6 wants one. */
export default function none() {}

/** @param {Data} data */
export const handleSummary = (data) => summarize?.({ ...data, metrics: counted(data) });

/**
 * k6's options with the executor that plays the load, and with thresholds on samples of their own. The load is not among them: in
 * an archive they stay what they were when it was packed.
 */
function nativeOptions() {
  plan(JSON.stringify(load));
  const [[scenario, k6]] = Object.entries(planned.scenarios);
  return {
    ...planned,
    scenarios: { [scenario]: { executor: 'benchfolio', k6 } },
    thresholds: Object.fromEntries(Object.entries(planned.thresholds).map(renamed)),
  };
}

/**
 * What a trend or a rate is judged by are samples of its own, made when the load has ended: k6 would have to keep one of
 * each request.
 * @param {[string, string[]]} threshold
 * @param {number} i
 * @returns {[string, string[]]}
 */
function renamed([name, expressions], i) {
  const { metric, selector } = parseSubMetric(name);
  const unknown = Object.keys(selector).find((tag) => !knownTags.includes(tag));
  if (unknown) {
    refuse(
      `the threshold on ${name} asks for the tag "${unknown}", which the native player does not have: run k6/main.js, ` +
        'or drop it',
    );
  }
  if (!expressions.length || !judgedMetrics.includes(metric)) return [name, expressions];
  const judged = subMetricName({ metric, selector: { ...selector, [judgedTag]: String(i + 1) } });
  names[judged] = name;
  return [judged, expressions];
}

/**
 * The metrics of k6's summary with the values that were counted: exact, where k6 has sums and samples of them.
 * @param {Data} data
 * @returns {Record<string, Metric>}
 */
function counted({ metrics, state }) {
  const known = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [names[name] ?? name, metric]));
  const metricNames = [
    expected,
    'bench_ended', // where the load ends with its iterations; k6 has no sample of it
    ...own,
    ...Object.keys(known),
    ...Object.keys(planned.thresholds).map((name) => names[name] ?? name),
  ];
  const found = JSON.parse(summary(metricNames, planned.summaryTrendStats, state.testRunDurationMs / 1000));
  const merged = Object.entries(found).map(([name, metric]) => [name, { ...known[name], ...metric }]);
  return { ...known, ...Object.fromEntries(merged) };
}
