/**
 * How a threshold asks for a metric of the table: k6's name of the metric and its aggregation.
 * @param {any} metric a row of reports/lib/tables/metrics.jq
 * @returns {string} '' where k6 has nothing of the kind
 */
export function thresholdName({ name, from = {} }) {
  if (name === 'errors_ratio') return '`http_req_failed` `rate`';
  if (from.mean) return named(trends[from.mean], 'avg');
  if (from.quantile) return named(trends[from.quantile[0]], aggregationOf(from.quantile[1]));
  return named(counters[from.per_second], 'rate');
}

/** @type {Record<string, string>} */
const trends = {
  latency: 'http_req_duration',
  waiting: 'http_req_waiting',
  duration: 'group_duration{group:…}',
};

/** @type {Record<string, string>} */
const counters = { requests: 'http_reqs', iterations: 'iterations' };

/** @param {number} percent */
const aggregationOf = (percent) => (percent === 100 ? 'max' : percent === 50 ? 'med' : `p(${percent})`);

/** @param {string | undefined} name @param {string} aggregation */
const named = (name, aggregation) => (name === undefined ? '' : `\`${name}\` \`${aggregation}\``);
