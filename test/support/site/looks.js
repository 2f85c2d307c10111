import { full } from '../full.js';

/** How a page is looked at. @typedef {{ width: number, colorScheme: 'dark' | 'light' }} Look */

/** @type {Look[]} */
const sampled = [
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
/** @type {Look[]} */
const all = [
  ...sampled,
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 768, colorScheme: 'dark' },
  { width: 1920, colorScheme: 'light' },
];

/**
 * How the nth page of a list is looked at: in one of the ways, and in all where all is tried (`make lighthouse`).
 * @param {number} n
 * @returns {Look[]}
 */
export const looksFor = (n) => (full ? all : [sampled[n % sampled.length]]);
