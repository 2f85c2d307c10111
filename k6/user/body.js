import { readFile } from '../plan/files.js';
import { encodeForm } from '../shared/encode.js';
import { compileJson, compileTemplate } from '../shared/placeholders.js';

/** @import { PlannedBody } from '../plan/body.js' */
/** @import { IterationValues, Text } from '../shared/placeholders.js' */

/**
 * Compiles a request's body. k6 has no memory that users share and requests send from (k6#1931), so each user holds a
 * copy of a file or of n bytes, made once.
 * @param {PlannedBody} body
 * @param {IterationValues} values
 * @returns {Text | ArrayBuffer}
 */
export function compileBody(body, values) {
  if ('text' in body) return compileTemplate(body.text, values);
  if ('json' in body) return compileJson(body.json, values);
  if ('form' in body) return compileTemplate(body.form, values, encodeForm);
  if ('file' in body) return readFile(body.file, { what: 'the body', binary: true }).content;
  return bytes(body.bytes);
}

/**
 * The same n bytes in every user and every run: printable, and not so regular that a server's compression eats them.
 * @param {number} length
 * @returns {ArrayBuffer} rather than a string, which k6 would copy once more for each request
 */
function bytes(length) {
  const block = new Uint8Array(Math.min(length, 4096));
  let state = 1;
  for (let i = 0; i < block.length; i += 1) {
    state = (state * 48271) % 2147483647; // the minimal standard generator (Park, Miller, Stockmeyer 1993)
    block[i] = 33 + (state % 94);
  }
  const all = new Uint8Array(length);
  for (let at = 0; at < length; at += block.length) all.set(block.subarray(0, length - at), at);
  return all.buffer;
}
