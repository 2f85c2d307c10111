import { parseDuration } from '../../spec/index.js';

/**
 * Where bench.toml does not say. Twelve blocks of five seconds decide more than six of ten: the error is that of so many
 * blocks. A second takes away the start; what a compiler still does after it, it does on both sides.
 */
const defaults = { blocks: 12, warmup: '1s', duration: '4s' };

/**
 * Of the load lane and the saturation probe: half a minute in all, which with the solo lane's minute is what a case may
 * take. Of fewer blocks Student's t makes an interval much wider, of shorter windows the noise does.
 */
const laneDefaults = { blocks: 6, warmup: '750ms', duration: '2s', users: 30, saturation: '1500ms' };

/**
 * How the load lane and the saturation probe are measured.
 * @typedef {{ blocks: number, load: { warmup_s: number, seconds: number },
 *   saturation: { users: number, warmup_s: number, seconds: number } }} LaneSettings
 */

/**
 * How long a duet is.
 * @param {Record<string, any>} bench bench.toml
 * @returns {{ blocks: number, timing: { warmup_s: number, seconds: number }, lanes: LaneSettings | null }} blocks: at the
 *   most; lanes: null: only solo is measured
 */
export function settingsOf({ duet }) {
  const { blocks, warmup, duration, load } = { ...defaults, ...duet };
  return {
    blocks,
    timing: { warmup_s: parseDuration(warmup), seconds: parseDuration(duration) },
    lanes: load === false ? null : laneSettingsOf(load),
  };
}

/** @param {Record<string, any> | undefined} load @returns {LaneSettings} */
function laneSettingsOf(load) {
  const { blocks, warmup, duration, users, saturation } = { ...laneDefaults, ...load };
  const warmup_s = parseDuration(warmup);
  return {
    blocks,
    load: { warmup_s, seconds: parseDuration(duration) },
    saturation: { users, warmup_s, seconds: parseDuration(saturation) },
  };
}
