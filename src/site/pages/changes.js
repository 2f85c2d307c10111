import { printed } from '../format.js';
import { hrefOf } from './page.js';

/** Which verdicts of a metric want to be seen most. */
const order = ['worse', 'unclear', 'better', 'same'];

/**
 * The metrics of a compared case: gated ones first, then what wants to be seen most.
 * @param {any} outcome a case of comparison.json
 * @param {import('./metrics.js').MetricNames} names
 * @returns {Record<string, any>[]}
 */
export function changeRows(outcome, names) {
  return [...outcome.metrics]
    .sort((a, b) => b.gated - a.gated || byVerdict(a, b) || names.orderOf(a.metric) - names.orderOf(b.metric))
    .map((one) => changeRow(one, names));
}

/** @param {{ verdict: string }} a @param {{ verdict: string }} b */
const byVerdict = (a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict);

/**
 * @param {any} one a metric of a case of comparison.json
 * @param {import('./metrics.js').MetricNames} names
 * @returns {Record<string, any>}
 */
function changeRow(one, names) {
  const print = names.printOf(one.metric, one.unit);
  const change = one.scale === 'difference' ? differenceText : ratioText;
  return {
    title: names.titleOf(one.metric), unit: print.unit, gated: one.gated, verdict: one.verdict, reason: one.reason,
    base: printed(one.base, print), head: printed(one.head, print), change: change(one.ratio),
    interval: one.low === null || one.high === null ? '–' : `${change(one.low)} to ${change(one.high)}`,
    tolerance: percent(one.tolerance), smallest: one.smallest_change === null ? '–' : percent(one.smallest_change),
  };
}

/** @param {number} share */
const percent = (share) => `${Number((share * 100).toPrecision(2))} %`;

/** A ratio of head to base as a change. @param {number | null} ratio */
const ratioText = (ratio) => (ratio === null ? '–' : `${signed((ratio - 1) * 100)} %`);

/** A difference of two shares, in points of a percent. @param {number | null} difference */
const differenceText = (difference) => (difference === null ? '–' : `${signed(difference * 100)} points`);

/** @param {number} percent @returns {string} with its sign */
export function signed(percent) {
  const text = Math.abs(percent) < 10 ? percent.toFixed(1) : percent.toFixed(0);
  return `${percent > 0 ? '+' : ''}${text.replace('-', '−')}`;
}

/**
 * What the last run found changed: the gated metrics that are not simply as before, the worst first.
 * @param {import('./overview.js').Overview} overview
 * @returns {{ text: string, rows: Record<string, any>[] } | null} null: nothing has been run
 */
export function lastChanges({ run, series, outcomes, names }) {
  if (!run?.outcome) return null;
  const asked = [...outcomes].filter(([, one]) => one.comparison);
  const compared = asked.filter(([, one]) => one.comparison.possible);
  const rows = compared.flatMap(([key, one]) => {
    const url = series.get(key)?.find((entry) => entry.lastRun)?.url;
    return changeRows(one, names).filter(({ gated, verdict }) => gated && verdict !== 'same')
      .map((row) => ({ row, case: one.case, system: one.system, href: url ? hrefOf(url, 'compared') : '' }));
  });
  rows.sort((a, b) => byVerdict(/** @type {any} */ (a.row), /** @type {any} */ (b.row)));
  return { text: sentence(asked.map(([, one]) => one.comparison), rows.length), rows };
}

/**
 * @param {{ possible: boolean, reason: string | null, baseline: string | null }[]} asked
 * @param {number} changes
 */
function sentence(asked, changes) {
  if (!asked.length) return 'The last run was not compared: it had no baseline, and thresholds alone decided.';
  const impossible = asked.filter(({ possible }) => !possible);
  const baselines = [...new Set(asked.map(({ baseline }) => baseline ?? 'a baseline'))].join(', ');
  const done = asked.length - impossible.length;
  if (!done) return `The last run could not be compared with ${baselines}: ${impossible[0].reason}.`;
  const rest = impossible.length ? ` (not possible elsewhere: ${impossible[0].reason})` : '';
  const found = changes ? 'Of the gated metrics these are not as before:' : 'All gated metrics are as before.';
  return `The last run was compared with ${baselines} in ${done} of ${asked.length} cases${rest}. ${found}`;
}
