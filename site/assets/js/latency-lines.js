import { shownPercentiles, textAt } from './quantiles.js';

/** @import { Threshold } from '../../../reports/schema/types.d.ts' */
/** @import { Quantiles } from './quantiles.js' */

/**
 * @typedef {Quantiles & { slot: string | number, who: string }} LatencyLine
 * @typedef {{ slot: string | number, text: string }} Key slot: the colour and dashes, as in the stylesheet
 */

/** @param {LatencyLine[]} lines @returns {Key[]} */
export const keyOf = (lines) => lines.map(({ slot, who }) => ({ slot, text: who }));

/**
 * The texts of curves, whichever they are. In the data they are the other way round: the curve that is drawn last is on top.
 * @param {LatencyLine[]} lines
 */
export function curves(lines) {
  const percentiles = shownPercentiles.filter((p) => lines.some((line) => textAt(line, p) !== '–'));
  return {
    file: 'latency-distribution',
    summary: `Latency by percentile of ${lines.map(({ who }) => who).join(' and ')}: ${percentiles
      .map((p) => `p${p} ${textAt(lines[0], p)} ms`)
      .join(', ')}.`,
    table: {
      head: ['percentile', ...lines.map(({ who }) => `${who}, ms`)],
      rows: percentiles.map((p) => [`p${p}`, ...lines.map((line) => textAt(line, p))]),
    },
  };
}

/**
 * Thresholds on a percentile of all requests, where they can be set against the curve.
 * @param {readonly Pick<Threshold, 'metric' | 'selector' | 'expr' | 'percentile' | 'op' | 'value'>[]} thresholds
 */
export function limitsOf(thresholds) {
  const found = thresholds.filter(
    ({ metric, selector, percentile, op }) =>
      metric === 'http_req_duration' && !Object.keys(selector).length && isOnCurve(percentile) && isMost(op),
  );
  return {
    p: found.map(({ percentile }) => Number(percentile)),
    latency: found.map(({ value }) => value),
    threshold: found.map(({ expr }) => expr),
  };
}

/** The curve has no end: the highest of all is on none. @param {number | null} percentile */
const isOnCurve = (percentile) => percentile !== null && percentile < 100;

/** Whether a threshold says how much there may be at the most. @param {string} op */
export const isMost = (op) => op.startsWith('<');
