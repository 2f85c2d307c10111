import { subMetricName } from '../cases/sub-metric.js';
import { formatNumber, formatPercent } from '../format.js';

/** @import { BenchRecord, JudgedThreshold } from '../../reports/schema/types.d.ts' */

/**
 * Says why a threshold is not met; reports/lib/compare/reasons.jq says the same.
 * @param {JudgedThreshold} threshold
 * @returns {string} "http_req_duration p(95)<50: 55.1"; of a lane, "http_req_duration p(95)<50 under load: 55.1, on base 49.2"
 */
export function thresholdReason({ implicit, metric, selector, expr, observed, outcome, reason, lane, base }) {
  const where = lane ? ' under load' : '';
  const beside = base ? onBase(base, implicit ? formatPercent : formatNumber) : '';
  if (implicit) {
    const most = expr.replace(/^value<=/, '');
    const cap = most === '' || Number.isNaN(Number(most)) ? most : formatPercent(Number(most));
    return `${formatPercent(observed)} of the requests failed${where}, the cap is ${cap}${beside}`;
  }
  const found = outcome === 'unknown' || observed === null ? reason : formatNumber(observed);
  return `${subMetricName({ metric, selector })} ${expr}${where}: ${found}${beside}`;
}

/** @param {NonNullable<JudgedThreshold['base']>} base @param {(value: number | null) => string} format */
function onBase({ observed, outcome, reason }, format) {
  if (outcome === 'unknown') return `, not judged on base: ${reason}`;
  return `, on base ${format(observed)}${outcome === 'missed' ? ', which misses it too' : ''}`;
}

/**
 * Says why a record has its verdict; reports/lib/compare/reasons.jq says the same.
 * @param {Pick<BenchRecord, 'verdict' | 'findings' | 'thresholds'>} record
 * @returns {string | null} null: it passes
 */
export function recordReason({ verdict, findings, thresholds }) {
  if (verdict === 'invalid') return findings.find(({ level }) => level === 'error')?.text ?? null;
  if (verdict !== 'fail') return null;
  const missed = thresholds.filter(({ level, outcome }) => level === 'fail' && outcome === 'missed');
  return missed.map(thresholdReason).join('; ');
}
