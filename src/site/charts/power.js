import { counted, formatChange, formatPercent } from '../../format.js';
import { rounded, slotOf } from './chart.js';

/** What else ran on the machine, as reports/calibration.json.jq has it. */
const places = new Map([
  ['busy', ', on a busy machine'],
  ['bursts', ', under random bursts'],
]);

/**
 * The share of trials that call a head worse which is slower by so much, a line for each gated metric.
 * @param {any} condition of a calibration, with its power
 * @param {string[]} gate
 * @param {number} tolerance
 * @param {import('../model/metrics.js').MetricNames} names
 * @returns {import('./chart.js').Chart}
 */
export function powerChart({ power, trials, others }, gate, tolerance, names) {
  const change = (/** @type {number} */ value) => formatChange(1 + value);
  const shown = [1, 2, 4, 6, 8, 10, 15]
    .map((points) => power.find((/** @type {any} */ one) => one.change === points / 100))
    .filter(Boolean);
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
        change: power.map((/** @type {any} */ one) => rounded(one.change * 100)),
        found: power.map((/** @type {any} */ one) => rounded(one.found[name] * 100)),
      })),
      tolerance: [{ tolerance: [tolerance * 100] }],
    },
    table: {
      head: ['slower by', ...gate.map((name) => names.titleOf(name))],
      rows: shown.map(({ change: by, found }) => [change(by), ...gate.map((name) => formatPercent(found[name]))]),
    },
  };
}
