/** @import { Draw } from '../../dist/suite/cases/random.js' */

// Loaded only for requests with random values. Drawn as in the native player (k6/native/random), digit for digit: from the
// seed, the user and the number of its iteration alone, so that both sides of a duet send the same, and a run can be
// repeated.

/**
 * @typedef {ReturnType<typeof createRandom>} Random
 */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The random values of one user.
 * @param {readonly [number, number]} seed
 * @param {() => number} userInTest the user's number, from 1: k6 knows it when the first iteration begins
 */
export function createRandom([high, low], userInTest) {
  let user = 0;
  let iteration = 0;
  let begun = false;
  let [a, b, c, counter] = [0, 0, 0, 0];

  /** Chris Doty-Humphrey's sfc32: each seed sets all 128 bits of its state. */
  function next() {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return t >>> 0;
  }

  function begin() {
    user ||= userInTest(); // k6 takes 10 µs for it
    [a, b, c, counter] = [low | 0, high | 0, user | 0, iteration | 0];
    for (let i = 0; i < 16; i += 1) next();
    begun = true;
  }

  /** 53 bits, 0 <= x < 1. */
  const fraction = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;

  /** @param {Draw} draw */
  function draw(draw) {
    if ('int' in draw) {
      const [from, to] = draw.int;
      return from + Math.floor(fraction() * (to - from + 1));
    }
    if ('string' in draw) {
      let text = '';
      for (let i = 0; i < draw.string; i += 1) text += letters[Math.floor((next() / 4294967296) * letters.length)];
      return text;
    }
    return uuid();
  }

  /** Of version 4 (RFC 9562). */
  function uuid() {
    const hex = [next(), next(), next(), next()].map((bits) => bits.toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[Number.parseInt(hex[16], 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  return {
    /** Begins the user's next iteration. */
    begin() {
      iteration += 1;
      begun = false;
    },

    /** Begins the same iteration once more: that of a duet's other side. */
    again() {
      begun = false;
    },

    /** @param {Draw[]} draws @returns {(string | number)[]} */
    all(draws) {
      if (!begun) begin();
      return draws.map(draw);
    },

    fraction() {
      if (!begun) begin();
      return fraction();
    },
  };
}

/**
 * Has a script's Math.random draw so, too, from its user's first iteration on.
 * @param {readonly [number, number]} seed
 * @param {() => number} userInTest
 * @returns {() => void} to be called when an iteration begins
 */
export function seedMath([high, low], userInTest) {
  const { begin, fraction } = createRandom([~high, low], userInTest); // not what its requests draw
  let draw = Math.random;
  Math.random = () => draw();
  return () => {
    begin();
    draw = fraction;
  };
}
