/** @param to included */
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Number((from + i * step).toFixed(3)));

/**
 * The 101 probabilities, in percent, at which a distribution is kept: finer towards the tail, where people look.
 * k6 is asked for them as `p(x)`.
 */
export const quantileGrid: readonly number[] = Object.freeze([
  ...range(0, 48, 2),
  ...range(50, 90, 1),
  ...range(91, 99, 0.5),
  ...range(99.1, 99.9, 0.1),
  99.92,
  99.94,
  99.95,
  99.96,
  99.97,
  99.98,
  99.99,
  99.995,
  100,
]);
