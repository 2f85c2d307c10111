// Biome formats JavaScript; of jq this holds what a formatter would.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../support/cli.js';

const columns = 140;

/** A sentence may be longer: a text of 100 characters is not broken. @param {string} line */
const hasSentence = (line) => [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].some(([text]) => text.length >= 100);

/** @param {string} text of a file @returns {number[]} the lines that are too long, from 1 */
const longLines = (text) =>
  text.split('\n').flatMap((line, i) => ([...line].length > columns && !hasSentence(line) ? [i + 1] : []));

it('lines of jq have at most 140 columns', () => {
  assert.deepEqual(longLines(`${'a'.repeat(140)}\n${'a'.repeat(141)}\n"${'a'.repeat(150)}"`), [2]);
  const files = execFileSync('git', ['ls-files', '-z', '*.jq'], { cwd: root, encoding: 'utf8' }).split('\0');
  const there = files.filter((file) => file && existsSync(join(root, file)));
  assert.ok(there.length > 50, 'there are programs to read');
  const long = there.flatMap((file) => longLines(readFileSync(join(root, file), 'utf8')).map((at) => `${file}:${at}`));
  assert.deepEqual(long, []);
});
