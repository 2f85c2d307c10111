import { parseDuration } from '../../spec/index.js';

/**
 * Where bench.toml does not say. Twelve blocks of five seconds decide more than six of ten: the error is that of so many
 * blocks. A second takes away the start; what a compiler still does after it, it does on both sides.
 */
const defaults = { blocks: 12, warmup: '1s', duration: '4s' };

/**
 * How long a duet is.
 * @param {Record<string, any>} bench bench.toml
 * @returns {{ blocks: number, timing: { warmup_s: number, seconds: number } }} blocks: at the most
 */
export function settingsOf({ duet }) {
  const { blocks, warmup, duration } = { ...defaults, ...duet };
  return { blocks, timing: { warmup_s: parseDuration(warmup), seconds: parseDuration(duration) } };
}
