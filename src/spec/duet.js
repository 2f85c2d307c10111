/** @import { Case } from './expand.js' */

/**
 * A case as the solo lane of a duet measures it: one user sends what the scenario sends, one after the other and
 * without pauses. With several users who wait for their answers on shared cores, the slower side gathers a queue and
 * its difference is amplified; with one, a time is the time of one request.
 * @param {Case} benchCase
 * @param {{ warmup_s: number, seconds: number }} block
 * @returns {Case}
 */
export function soloCase(benchCase, { warmup_s, seconds }) {
  const duration_s = warmup_s + seconds;
  return {
    ...benchCase,
    k6: { executor: 'constant-vus', vus: 1, duration: `${duration_s}s` },
    window: { from_s: warmup_s, to_s: duration_s },
    duration_s,
    requests: benchCase.requests?.map((request) => ({ ...request, think: null })) ?? null,
    // Of the solo lane, not of the scenario's load, for which they are meant.
    thresholds: [],
    faults: [],
    queries: [],
    per_user: false,
    instances: 1,
    prometheus: null,
    saturation: 'error',
  };
}

/**
 * Reads how a k6 process is told that it is a block of a duet.
 * @param {string} text "2+8": seconds of warm-up and of measuring
 * @returns {{ warmup_s: number, seconds: number } | null} null: it is not like that
 */
export function readBlock(text) {
  const [, warmup, seconds] = /^(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return warmup === undefined ? null : { warmup_s: Number(warmup), seconds: Number(seconds) };
}

/** The other way round. @param {{ warmup_s: number, seconds: number }} block */
export const showBlock = ({ warmup_s, seconds }) => `${warmup_s}+${seconds}`;
