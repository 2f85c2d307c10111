/** Does each only have to print its figures? `make bench SHORT=1` is a part of the gate: nothing rots, nothing is measured. */
export const isShort = process.env.BENCH_SHORT === '1';

/**
 * How often, how long or how many.
 * @template T
 * @param {T} usual
 * @param {T} short
 */
export const size = (usual, short) => (isShort ? short : usual);
