import { limits } from './tables.js';

/** How a comparison is judged unless bench.toml, the spec or the scenario says otherwise. */
const { tolerance, alpha, session_sd, gate } = limits;
const compareDefaults = { tolerance, tolerances: {}, alpha, session_sd, gate, baseline: null };

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
