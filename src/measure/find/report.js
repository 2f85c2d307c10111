import { counted, formatInUnit, formatNumber, formatPercent, formatPlain } from '../../format.js';

/**
 * A line for a probe.
 * @param {number} n
 * @param {import('./probe.js').Observed} observed
 * @param {import('./load-parameter.js').LoadParameter} load
 * @returns {string}
 */
export function probeText(n, { load, met, latency_ms_p95: p95, reason }, { parameter }) {
  const asked = `${formatPlain(load)} ${parameter === 'vus' ? 'users' : 'a second'}`;
  return `probe ${n}: ${asked}: ${met ? 'met' : 'not met'}${p95 === null ? '' : `, p95 ${formatInUnit(p95, 'ms')}`}${reason ? `: ${reason}` : ''}`;
}

/**
 * What was found, for the terminal.
 * @param {any} search of a record
 * @returns {string}
 */
export function foundText({ parameter, value, low, high, confidence, estimates, curve, precision }) {
  const unit = parameter === 'vus' ? 'users' : 'iterations a second';
  const between =
    low === null
      ? ''
      : `, with ${formatPercent(confidence)} confidence between ${formatNumber(low)} and ${formatNumber(high)}`;
  return `Found: the thresholds are met up to ${formatNumber(value)} ${unit}${between} (${counted(estimates.length, 'search', 'searches')} to ${formatPercent(precision)}, ${counted(curve.length, 'probe')}).`;
}
