import { sha256 } from 'k6/crypto';
import { readRandom } from '../../dist/suite/cases/random.js';
import { refuse } from '../shared/refuse.js';

/** @import { Draw } from '../../dist/suite/cases/random.js' */

const pattern = /\$(\$?)\{random\.([^{}]*)\}/g;

/**
 * Numbers the random values of a request: where `${random.int(1, 5)}` stood, `${random.0}` does.
 * @template T
 * @param {T} texts at any depth
 * @returns {{ texts: T, draws: Draw[] | null }} null: nothing is drawn
 */
export function planDraws(texts) {
  /** @type {Draw[]} */
  const draws = [];
  const number = (/** @type {string} */ written, /** @type {string} */ escaped, /** @type {string} */ what) => {
    if (escaped) return written;
    const draw = readRandom(what);
    return typeof draw === 'string' ? refuse(draw) : `\${random.${draws.push(draw) - 1}}`;
  };
  /** @type {(value: any) => any} */
  const walk = (value) => {
    if (typeof value === 'string') return value.replace(pattern, number);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  const numbered = walk(texts);
  return { texts: numbered, draws: draws.length ? draws : null };
}

/**
 * Where random values begin: from the same text the same users draw the same.
 * @param {string | undefined} text SEED; without one no other run draws the same
 * @returns {[number, number]} of 32 bits each
 */
export function seedOf(text) {
  const hash = sha256(text ?? `${Math.random()} ${Math.random()}`, 'hex');
  return [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8, 16), 16)];
}
