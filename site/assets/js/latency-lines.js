import { shownPercentiles, textAt } from './quantiles.js';

/** @import { Quantiles } from './quantiles.js' */

/**
 * @typedef {Quantiles & { slot: string | number, who: string }} LatencyLine
 * @typedef {{ slot: string | number, text: string }} Key slot: the colour and dashes, as in the stylesheet
 */

/** @param {LatencyLine[]} lines @returns {Key[]} */
export const keyOf = (lines) => lines.map(({ slot, who }) => ({ slot, text: who }));

/**
 * What is said of curves, whichever they are. In the data they are the other way round: what is drawn last is on top.
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
 * @param {{ metric: string, selector: object, expr: string }[]} thresholds
 */
export function limitsOf(thresholds) {
  const ofAll = thresholds.filter(
    ({ metric, selector }) => metric === 'http_req_duration' && !Object.keys(selector).length,
  );
  const found = ofAll
    .map(({ expr }) => /^\s*p\(([\d.]+)\)\s*<=?\s*([\d.e+]+)\s*$/.exec(expr))
    .filter((match) => match !== null);
  return {
    p: found.map(([, p]) => Number(p)),
    latency: found.map(([, , limit]) => Number(limit)),
    threshold: found.map(([expr]) => expr),
  };
}
