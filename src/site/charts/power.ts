import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { counted, formatChange, formatPercent } from '../../base/format.js';
import type { Condition } from '../../records/calibration/calibration.js';
import { type Chart, rounded, slotOf } from './chart.js';

/** What else ran on the machine, as reports/calibration.json.jq has it. */
const places = new Map([
  ['busy', ', on a busy machine'],
  ['bursts', ', under random bursts'],
]);

/** The share of trials that call a head worse which is slower by so much, a line for each gated metric. */
export function powerChart(
  { power, trials, others }: Condition & { power: object },
  gate: string[],
  tolerance: number,
  names: MetricNames,
): Chart {
  const change = (value: number) => formatChange(1 + value);
  const shown = [1, 2, 4, 6, 8, 10, 15]
    .map((points) => power.find((point) => point.change === points / 100))
    .filter((point) => point !== undefined);
  return {
    file: 'power',
    title: `Statistical power${places.get(others) ?? ''}`,
    about: `${counted(trials, 'A/A trial')}, with head made slower by more and more.`,
    summary: `Share of trials called worse, by how much slower head is: ${gate
      .map(
        (name) =>
          `${names.titleOf(name)}: ${shown
            .map(({ change: by, found }) => `${formatPercent(found[name])} at ${change(by)}`)
            .join(', ')}`,
      )
      .join('; ')}.`,
    key: gate.map((name, i) => ({ slot: slotOf(i), text: names.titleOf(name) })),
    data: {
      points: gate.map((name, i) => ({
        slot: slotOf(i),
        change: power.map((point) => rounded(point.change * 100)),
        found: power.map((point) => rounded(point.found[name] * 100)),
      })),
      tolerance: [{ tolerance: [tolerance * 100] }],
    },
    table: {
      head: ['slower by', ...gate.map((name) => names.titleOf(name))],
      rows: shown.map(({ change: by, found }) => [change(by), ...gate.map((name) => formatPercent(found[name]))]),
    },
  };
}
