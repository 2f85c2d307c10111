/** How a comparison is judged unless bench.toml, the spec or the scenario says otherwise. */
const compareDefaults = {
  tolerance: 0.02,
  tolerances: {},
  alpha: 0.01,
  session_sd: 0.1,
  gate: ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'],
  baseline: null,
};

/**
 * The nearest wins, key by key; of `tolerances`, metric by metric.
 * @param {(Record<string, any> | undefined)[]} layers from far to near
 * @returns {Record<string, any>}
 */
export function mergeCompare(layers) {
  const given = layers.map((layer) => layer ?? {});
  const tolerances = Object.assign({}, ...given.map((layer) => layer.tolerances ?? {}));
  return Object.assign({}, compareDefaults, ...given, { tolerances });
}
