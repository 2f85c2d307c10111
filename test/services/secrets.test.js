import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposedNote, exposedVariables, secretsOf } from '../../src/services/secrets.js';

test('secrets are the values of the variables that a spec names', () => {
  const env = { TOKEN: 'abcdef', LONG: 'abcdefgh', SHORT: 'no', OTHER: 'unnamed' };
  const definition = { a: ['x ${env.TOKEN}', { b: '${env.LONG}' }], c: '${env.SHORT}', d: '$${env.OTHER}' };
  assert.deepEqual(secretsOf(definition, env), ['abcdefgh', 'abcdef']);
  assert.deepEqual(exposedVariables(definition, env), ['SHORT']);
  assert.deepEqual(exposedVariables(definition, { ...env, SHORT: '' }), []);
  assert.match(
    exposedNote(['SHORT', 'PIN']) ?? '',
    /^SHORT, PIN: fewer than 4 characters, which are not hidden in logs/,
  );
  assert.equal(exposedNote([]), null);
});
