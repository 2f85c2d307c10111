/** Numbers from 0 to 1 (Marsaglia's xorshift32). @param {number} seed */
function numbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Normal numbers (Box and Muller). @param {number} seed */
export function normals(seed) {
  const next = numbers(seed);
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}
