import { limits } from './tables.js';
import type { TomlTable } from './toml.js';

/** How a comparison is judged unless bench.toml, the spec or the scenario says otherwise. */
const { tolerance, alpha, session_sd, gate, guardrails } = limits;
const compareDefaults = { tolerance, tolerances: {}, guardrails, alpha, session_sd, gate, baseline: null };

/**
 * The nearest wins, key by key; of `tolerances` and `guardrails`, metric by metric.
 * @param layers from far to near
 */
export function mergeCompare(layers: (TomlTable | undefined)[]): TomlTable {
  const given = layers.map((layer) => layer ?? {});
  const together = (key: 'tolerances' | 'guardrails') =>
    Object.assign({}, compareDefaults[key], ...given.map((layer) => layer[key] ?? {}));
  return Object.assign({}, compareDefaults, ...given, {
    tolerances: together('tolerances'),
    guardrails: together('guardrails'),
  });
}
