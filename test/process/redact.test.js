import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactor } from '../../src/process/redact.js';

test('a secret is blotted out wherever the text is cut', () => {
  const text = 'one secret, a secre, and secretsecret\n';
  for (let cut = 0; cut <= text.length; cut += 1) {
    for (let again = cut; again <= text.length; again += 5) {
      const hide = redactor(['secret', 'never there']);
      const pieces = [text.slice(0, cut), text.slice(cut, again), text.slice(again)];
      const shown = pieces.map((piece) => hide.push(piece)).join('') + hide.end();
      assert.equal(shown, 'one ***, a secre, and ******\n');
    }
  }
});

test('what cannot be the start of one is not held back', () => {
  assert.equal(redactor(['secret']).push('ready\n'), 'ready\n');
});
