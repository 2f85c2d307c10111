import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something that will be; the bound is for what never will.
 * @template T
 * @param {() => T | Promise<T>} condition
 * @param {() => string} complaint
 * @param {number} [timeout_ms]
 * @returns {Promise<T>} the first value that counts as true
 */
export async function until(condition, complaint, timeout_ms = 60_000) {
  for (const end = Date.now() + timeout_ms; Date.now() < end; await sleep(50)) {
    const value = await condition();
    if (value) return value;
  }
  throw new assert.AssertionError({ message: complaint() });
}
