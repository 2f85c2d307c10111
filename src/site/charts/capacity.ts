import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { counted, formatDuration, formatNumber, formatPercent } from '../../base/format.js';
import { headingOf } from '../model/metric-names.js';
import { type Chart, rounded } from './chart.js';

/**
 * The loads that were tried for the highest one under which the thresholds are met, and what was found.
 * @returns null: its load was not searched
 */
export function searchChart({ search }: BenchRecord, names: MetricNames): Chart | null {
  if (!search) return null;
  const unit = search.parameter === 'vus' ? 'users' : 'iterations/s';
  const known = search.curve.filter(({ latency_ms_p95: p95, achieved_rps: rate }) => p95 && rate !== null);
  const value = formatNumber(search.value);
  const between =
    search.low === null || search.high === null
      ? ''
      : `, with ${formatPercent(search.confidence)} confidence between ${formatNumber(
          search.low,
        )} and ${formatNumber(search.high)}`;
  return {
    file: 'capacity',
    title: 'The highest load that meets the thresholds',
    about: `${value} ${unit}${between}, from ${counted(search.estimates.length, 'search', 'searches')} to ${formatPercent(search.precision)}; each load was measured for ${formatDuration(search.probe_s)}.`,
    summary: `The thresholds are met up to ${value} ${unit}${between}; ${search.curve.filter(({ met }) => met).length} of ${
      search.curve.length
    } loads that were tried were met.`,
    key: [
      { slot: 1, text: 'met' },
      { slot: 'limit', text: 'not met (crosses)' },
      { slot: 'middle', text: 'found' },
    ],
    patch: {
      fields: {
        x: { title: `target load, ${unit}` },
        low: { title: `target load, ${unit}` },
        value: { title: `target load, ${unit}` },
      },
    },
    data: {
      probes: [
        {
          x: known.map(({ load }) => rounded(load)),
          y: known.map((probe) => rounded(probe.latency_ms_p95)),
          a: known.map((probe) => rounded(probe.achieved_rps)),
          met: known.map(({ met }) => (met ? 'met' : 'not met')),
        },
      ],
      found: [{ value: [search.value], low: [search.low ?? search.value], high: [search.high ?? search.value] }],
    },
    table: {
      head: [
        `target load, ${unit}`,
        'answered, a second',
        headingOf(names, 'latency_ms_p50', 'ms'),
        headingOf(names, 'latency_ms_p95', 'ms'),
        names.titleOf('errors_ratio'),
        'thresholds',
      ],
      rows: search.curve.map((probe) => [
        formatNumber(probe.load),
        ...[probe.achieved_rps, probe.latency_ms_p50, probe.latency_ms_p95].map(formatNumber),
        formatPercent(probe.errors_ratio),
        probe.met ? 'met' : (probe.reason ?? 'not met'),
      ]),
    },
  };
}
