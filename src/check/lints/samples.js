import { showDuration } from '../../spec/durations.js';
import { iterationsOf, requestsOf, requestsPerIteration } from '../../spec/load.js';
import { keyOf } from '../../spec/sub-metric.js';

/** @import { Case } from '../../spec/expand.js' @import { Threshold } from '../../spec/thresholds.js' */

/**
 * A percentile of a few requests is a coincidence: it wants 20 / (1 - p). What is judged are all rounds together.
 * @param {Case} item
 * @param {import('./index.js').Context} context
 * @returns {import('./index.js').Lint[]}
 */
export function lintSamples(item, { rounds, written }) {
  return item.thresholds.flatMap((threshold) => {
    const expected = expectedOf(threshold, item);
    if (expected === null || expected.count * rounds >= threshold.min_samples) return [];
    const [count, needed] = [Math.floor(expected.count * rounds), threshold.min_samples];
    const windows = rounds === 1 ? 'a window' : `${rounds} rounds with a window`;
    const length = item.window.to_s === null ? '' : ` of ${showDuration(item.window.to_s - item.window.from_s)}`;
    return [
      {
        path: [
          'scenarios',
          item.scenario,
          'thresholds',
          keyOf(written.scenarios[item.scenario].thresholds, threshold) ?? '',
        ],
        focus: /** @type {const} */ ('key'),
        message:
          `"${threshold.expr}" needs ${needed} ${expected.unit}, ` +
          `and ${windows}${length} ${rounds === 1 ? 'has' : 'have'} ${expected.most}${count}`,
        hint:
          `Measure for longer or in more rounds, take a lower percentile, or set min_samples = ${count} ` +
          'and know how little it says.',
        weight: needed / Math.max(1, count),
      },
    ];
  });
}

/**
 * How many observations a threshold will have.
 * @param {Threshold} threshold
 * @param {Case} item
 * @returns {{ count: number, unit: string, most: string } | null} null: not known
 */
function expectedOf({ metric, selector }, item) {
  if (!/^(http_req_|iteration_duration)/.test(metric) || item.script !== null) return null;
  if (selector.name !== undefined && !item.requests?.some(({ name }) => name === selector.name)) return null;
  const unit = metric === 'iteration_duration' ? 'iterations' : 'requests';
  const iterations = iterationsOf(item.k6, item.window);
  const share = metric === 'iteration_duration' ? 1 : shareOf(selector.name, item);
  if (iterations !== null) return { count: iterations * share, unit, most: 'about ' };
  const { requests } = requestsOf(item);
  const length = Number(item.window.to_s) - item.window.from_s;
  const most = (requests / requestsPerIteration(item) / Number(item.duration_s)) * length;
  return { count: most * share, unit, most: 'at the most ' };
}

/** Requests of one name in an iteration. @param {string | undefined} name @param {Case} item @returns {number} */
function shareOf(name, item) {
  const requests = item.requests ?? [];
  const chosen = requests.filter((request) => name === undefined || request.name === name);
  if (item.order === 'sequence') return chosen.length;
  const weigh = (/** @type {typeof requests} */ list) => list.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  return weigh(chosen) / weigh(requests);
}
