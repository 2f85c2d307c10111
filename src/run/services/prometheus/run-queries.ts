import { fillPlaceholders } from '../../../suite/cases/cases.js';
import type { Case } from '../../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../../suite/run-placeholders.js';
import { askInstant, askRange, nothing, type PrometheusAnswer, type QueryProblem } from './api.js';
import { failedTargets } from './scrape-targets.js';
import type { PrometheusTarget } from './settings.js';

/** Epoch milliseconds. */
type Window = { from: number; to: number };

/** Of a query. */
export type QueryResult = { name: string } & PrometheusAnswer;

/**
 * Takes a case's metrics from Prometheus.
 * @param given scraped: by a private one, which is asked why there is nothing
 * @returns in the order of the spec; the time that it takes is bounded
 */
export async function askAll(
  benchCase: Case,
  target: PrometheusTarget,
  {
    window,
    interval_s,
    labels,
    values,
    scraped,
  }: { window: Window; interval_s: number; labels: Record<string, string>; values: RunnerValues; scraped: boolean },
): Promise<QueryResult[]> {
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

/** The same problem for each query of a case. */
export const noneOf = (benchCase: Case, problem: QueryProblem): QueryResult[] =>
  benchCase.queries.map(({ name }) => ({ name, ...nothing({ ...problem }) }));

/** Puts in the times that PromQL needs, by the names that Grafana has for them. */
export function timesIn(query: string, window: Window, interval_s: number): string {
  const known = {
    range: duration(window.to - window.from),
    interval: duration(interval_s * 1000),
    rate_interval: duration(interval_s * 4000), // a rate needs two samples, also when one is late or lost
  } as Record<string, string>;
  return query.replace(/\$__([a-z_]+)/g, (written, name) => known[name] ?? written);
}

/** Prometheus has no fractions in durations. */
const duration = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${Math.round(ms)}ms`);
