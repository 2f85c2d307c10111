import { randomOf } from '../../dist/run/session/random-order.js';

/** Normal numbers (Box and Muller). @param {number} seed */
export function normals(seed) {
  const random = randomOf(seed);
  const next = () => 1 - random(); // not 0, which has no logarithm
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}
