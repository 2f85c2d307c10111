import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../dist/base/process/redact.js';
import { exposedNote, exposedVariables, secretsOf } from '../../dist/run/services/secrets.js';

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

test('what of a value may be printed by itself is a secret too', () => {
  const key = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'short', '-----END KEY-----', ''].join('\n');
  const env = { TOKEN: 'abcdefgh\n', KEY: key, DB: 'postgres://ann:s3cret%21@db:5432/shop?sslmode=off' };
  const secrets = secretsOf({ a: '${env.TOKEN} ${env.KEY} ${env.DB}' }, env);
  for (const part of ['abcdefgh', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 's3cret%21', 's3cret!', 'ann:s3cret%21'])
    assert.ok(secrets.includes(part), part);
  for (const part of ['short', 'db:5432', 'ann', '']) assert.ok(!secrets.includes(part), part);
  const indented = key.replaceAll('\n', '\r\n    ');
  assert.ok(!redact(indented, secrets).includes('MIIEvQ'));
});
