import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../src/services/secrets.js';

test('secrets are the values of the variables that a spec names', () => {
  const env = { TOKEN: 'abcdef', LONG: 'abcdefgh', SHORT: 'no', OTHER: 'unnamed' };
  const definition = { a: ['x ${env.TOKEN}', { b: '${env.LONG}' }], c: '${env.SHORT}', d: '$${env.OTHER}' };
  assert.deepEqual(secretsOf(definition, env), ['abcdefgh', 'abcdef']);
});
