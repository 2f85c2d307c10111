import type { Search, Threshold } from '../../../reports/schema/types.d.ts';
import { counted, formatInUnit, formatNumber, formatPercent, formatPlain } from '../../base/format.js';
import type { LoadParameter } from './load-parameter.js';
import type { Observed } from './probe.js';

/**
 * A line for a probe.
 * @returns "probe 3: 1,000 a second: not met: p(95) 25.1 ms of 20 ms"
 */
export function probeText(
  n: number,
  {
    observed: { load, met, reason },
    thresholds,
    disturbed,
  }: { observed: Observed; thresholds: readonly Threshold[]; disturbed: boolean },
  { parameter }: LoadParameter,
): string {
  const heading = `probe ${n}: ${formatPlain(load)} ${parameter === 'vus' ? 'users' : 'a second'}`;
  if (disturbed) return `${heading}: says nothing: ${reason}`;
  const observed = thresholds.map(observedText).filter((text) => text !== null);
  const isMissed = thresholds.some(({ outcome }) => outcome === 'missed');
  const why = reason === null || (isMissed && observed.length > 0) ? observed : [...observed, reason];
  return [`${heading}: ${met ? 'met' : 'not met'}`, ...(why.length ? [why.join(', ')] : [])].join(': ');
}

/** @returns "p(95) 1.42 ms of 20 ms"; null: nothing was observed */
function observedText({ metric, aggregation, value: limit, observed }: Threshold): string | null {
  if (observed === null) return null;
  const isTime = metric === 'http_req_duration';
  const shown = (value: number) => (isTime ? formatInUnit(value, 'ms') : formatPlain(value));
  return `${isTime ? '' : `${metric} `}${aggregation} ${shown(observed)} of ${isTime ? `${formatPlain(limit)} ms` : shown(limit)}`;
}

/**
 * What comes first where other programs kept the machine busy.
 * @param disturbed how many probes were
 */
export const disturbedText = (disturbed: number, probes: number): string =>
  `Other programs kept the machine busy during ${disturbed} of ${counted(probes, 'probe')}: those say nothing, and were repeated. Repeat on a quiet machine if nothing is found.\n`;

/**
 * What was found, for the terminal.
 * @param search of a record
 */
export function foundText({ parameter, value, low, high, confidence, estimates, curve, precision }: Search): string {
  const unit = parameter === 'vus' ? 'users' : 'iterations a second';
  const between =
    low === null
      ? ''
      : `, with ${formatPercent(confidence)} confidence between ${formatNumber(low)} and ${formatNumber(high)}`;
  return `Found: the thresholds are met up to ${formatNumber(value)} ${unit}${between} (${counted(estimates.length, 'search', 'searches')} to ${formatPercent(precision)}, ${counted(curve.length, 'probe')}).`;
}
