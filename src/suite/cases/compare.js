import { limits } from './tables.js';

/** @import { TomlTable } from './toml.js' */

/** How a comparison is judged unless bench.toml, the spec or the scenario says otherwise. */
const { tolerance, alpha, session_sd, gate, guardrails } = limits;
const compareDefaults = { tolerance, tolerances: {}, guardrails, alpha, session_sd, gate, baseline: null };

/**
 * The nearest wins, key by key; of `tolerances` and `guardrails`, metric by metric.
 * @param {(TomlTable | undefined)[]} layers from far to near
 * @returns {TomlTable}
 */
export function mergeCompare(layers) {
  const given = layers.map((layer) => layer ?? {});
  const together = (/** @type {'tolerances' | 'guardrails'} */ key) =>
    Object.assign({}, compareDefaults[key], ...given.map((layer) => layer[key] ?? {}));
  return Object.assign({}, compareDefaults, ...given, {
    tolerances: together('tolerances'),
    guardrails: together('guardrails'),
  });
}
