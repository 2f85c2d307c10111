/**
 * A line for a probe.
 * @param {number} n
 * @param {import('./probe.js').Observed} observed
 * @param {import('./load-parameter.js').LoadParameter} load
 * @returns {string}
 */
export function probeText(n, { load, met, latency_ms_p95: p95, reason }, { parameter }) {
  const asked = `${short(load)} ${parameter === 'vus' ? 'users' : 'a second'}`;
  return `probe ${n}: ${asked}: ${met ? 'met' : 'not met'}${p95 === null ? '' : `, p95 ${short(p95)} ms`}${reason ? `: ${reason}` : ''}`;
}

/**
 * What was found, for the terminal.
 * @param {any} search of a record
 * @returns {string}
 */
export function foundText({ parameter, value, low, high, confidence, estimates, curve, precision }) {
  const unit = parameter === 'vus' ? 'users' : 'iterations a second';
  const between =
    low === null ? '' : `, with ${confidence * 100} % confidence between ${short(low)} and ${short(high)}`;
  return `Found: the thresholds are met up to ${short(value)} ${unit}${between} (${estimates.length} ${
    estimates.length === 1 ? 'search' : 'searches'
  } to ${precision * 100} %, ${curve.length} probes).`;
}

/** @param {number} value */
const short = (value) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
