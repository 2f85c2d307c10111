/**
 * A small seeded generator (mulberry32): the same numbers for the same words, on every machine.
 * @param {string} words
 * @returns {() => number} in [0, 1)
 */
export function randomFrom(words) {
  let state = [...words].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}
