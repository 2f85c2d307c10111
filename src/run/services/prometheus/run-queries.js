import { fillPlaceholders } from '../../../suite/cases/cases.js';
import { fill } from '../../../suite/run-placeholders.js';
import { askInstant, askRange, nothing } from './api.js';
import { failedTargets } from './scrape-targets.js';

/** @import { Case } from '../../../suite/cases/expand.js' */
/** @import { RunnerValues } from '../../../suite/run-placeholders.js' */
/** @import { PrometheusAnswer, QueryProblem } from './api.js' */
/** @import { PrometheusTarget } from './settings.js' */

/**
 * @typedef {{ from: number, to: number }} Window epoch milliseconds
 * @typedef {{ name: string } & PrometheusAnswer} QueryResult of a query
 */

/**
 * Takes a case's metrics from Prometheus.
 * @param {Case} benchCase
 * @param {PrometheusTarget} target
 * @param {{ window: Window, interval_s: number, labels: Record<string, string>,
 *   values: RunnerValues, scraped: boolean }} given scraped: by a private one, which is asked why
 *   there is nothing
 * @returns {Promise<QueryResult[]>} in the order of the spec; the time that it takes is bounded
 */
export async function askAll(benchCase, target, { window, interval_s, labels, values, scraped }) {
  const results = await Promise.all(
    benchCase.queries.map(async ({ name, query, over }) => {
      const ofRound = fillPlaceholders(query, labels, { leave: (placeholder) => !Object.hasOwn(labels, placeholder) });
      const text = timesIn(String(fill(ofRound, values)), window, interval_s);
      const answer =
        over === 'time' ? askRange(target, text, { ...window, interval_s }) : askInstant(target, text, window.to);
      return { name, ...(await answer) };
    }),
  );
  const empty = results.filter(({ problem }) => problem?.id === 'empty');
  const causes = scraped && empty.length > 0 ? await failedTargets(target) : [];
  for (const { problem } of empty) if (problem && causes.length) problem.text += `: ${causes.join('; ')}`;
  return results;
}

/**
 * The same problem for each query of a case.
 * @param {Case} benchCase
 * @param {QueryProblem} problem
 * @returns {QueryResult[]}
 */
export const noneOf = (benchCase, problem) =>
  benchCase.queries.map(({ name }) => ({ name, ...nothing({ ...problem }) }));

/**
 * Puts in the times that PromQL needs, by the names that Grafana has for them.
 * @param {string} query
 * @param {Window} window
 * @param {number} interval_s
 * @returns {string}
 */
export function timesIn(query, window, interval_s) {
  const known = /** @type {Record<string, string>} */ ({
    range: duration(window.to - window.from),
    interval: duration(interval_s * 1000),
    rate_interval: duration(interval_s * 4000), // a rate needs two samples, also when one is late or lost
  });
  return query.replace(/\$__([a-z_]+)/g, (written, name) => known[name] ?? written);
}

/** Prometheus has no fractions in durations. @param {number} ms */
const duration = (ms) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${Math.round(ms)}ms`);
