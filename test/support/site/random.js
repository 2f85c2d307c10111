import { randomOf } from '../../../dist/run/session/random-order.js';

/**
 * A small seeded generator: the same numbers for the same words, on every machine.
 * @param {string} words
 * @returns {() => number} in [0, 1)
 */
export const randomFrom = (words) =>
  randomOf([...words].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261));
