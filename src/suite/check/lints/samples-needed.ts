import { showDuration } from '../../cases/durations.js';
import type { Case } from '../../cases/expand.js';
import { iterationsOf, repeated, requestsOf, requestsPerIteration } from '../../cases/load.js';
import { keyOf } from '../../cases/sub-metric.js';
import type { CaseThreshold } from '../../cases/thresholds.js';
import type { Lint, LintContext } from './lints.js';

/** A percentile of a few requests is a coincidence: it wants 20 / (1 - p). All rounds are judged together. */
export function lintSamples(benchCase: Case, { rounds, written }: LintContext): Lint[] {
  return benchCase.thresholds.flatMap((threshold) => {
    const expected = expectedOf(threshold, benchCase);
    if (expected === null || expected.count * rounds >= threshold.min_samples) return [];
    const [count, needed] = [Math.floor(expected.count * rounds), threshold.min_samples];
    const windows = rounds === 1 ? 'a window' : `${rounds} rounds with a window`;
    const length =
      benchCase.window.to_s === null ? '' : ` of ${showDuration(benchCase.window.to_s - benchCase.window.from_s)}`;
    return [
      {
        path: [
          'scenarios',
          benchCase.scenario,
          'thresholds',
          keyOf(written.scenarios[benchCase.scenario].thresholds, threshold) ?? '',
        ],
        focus: 'key' as const,
        message:
          `"${threshold.expr}" needs ${needed} ${expected.unit}, ` +
          `and ${windows}${length} ${rounds === 1 ? 'has' : 'have'} ${expected.most}${count}`,
        hint:
          'Measure for longer or in more rounds, take a lower percentile, or accept a weak result with ' +
          `min_samples = ${count}.`,
        weight: needed / Math.max(1, count),
      },
    ];
  });
}

/**
 * How many observations a threshold will have.
 * @returns null: not known
 */
function expectedOf(
  { metric, selector }: CaseThreshold,
  benchCase: Case,
): { count: number; unit: string; most: string } | null {
  if (!/^(http_req_|iteration_duration)/.test(metric) || benchCase.script !== null) return null;
  if (selector.name !== undefined && !repeated(benchCase).some(({ name }) => name === selector.name)) return null;
  const unit = metric === 'iteration_duration' ? 'iterations' : 'requests';
  const iterations = iterationsOf(benchCase.load, benchCase.window);
  const share = metric === 'iteration_duration' ? 1 : shareOf(selector.name, benchCase);
  if (iterations !== null) return { count: iterations * share, unit, most: 'about ' };
  const { requests } = requestsOf(benchCase);
  const length = Number(benchCase.window.to_s) - benchCase.window.from_s;
  const most = (requests / requestsPerIteration(benchCase) / Number(benchCase.duration_s)) * length;
  return { count: most * share, unit, most: 'at the most ' };
}

/** Requests of one name in an iteration. */
function shareOf(name: string | undefined, benchCase: Case): number {
  const requests = repeated(benchCase);
  const chosen = requests.filter((request) => name === undefined || request.name === name);
  if (benchCase.order === 'sequence') return chosen.length;
  const weigh = (list: typeof requests) => list.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  return weigh(chosen) / weigh(requests);
}
