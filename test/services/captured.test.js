import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captured } from '../../dist/run/services/captured.js';

const answer = (/** @type {string} */ text, headers = {}) => ({ text, headers: new Headers(headers) });

test('JSON: names and numbers, with dots between', () => {
  const body = answer('{"items":[{"id":7,"a.b":true,"tags":["x"]}],"none":null,"off":false}');
  assert.equal(captured({ json: 'items.0.id' }, body), 7);
  assert.equal(captured({ json: 'items.0.a\\.b' }, body), true);
  assert.equal(captured({ json: 'items.0.tags' }, body), '["x"]');
  assert.equal(captured({ json: 'off' }, body), false);
  for (const path of ['items.1.id', 'gone', 'none.of', 'constructor', '__proto__', 'items.length.x', 'off.x']) {
    assert.equal(captured({ json: path }, body), undefined, path);
  }
  assert.equal(captured({ json: 'id' }, answer('<html>')), undefined);
});

test('a pattern: its first group, or the whole match', () => {
  assert.equal(captured({ regex: 'id=([0-9]+)' }, answer('a id=12 b')), '12');
  assert.equal(captured({ regex: '[0-9]+' }, answer('a id=12 b')), '12');
  assert.equal(captured({ regex: 'x' }, answer('a')), undefined);
});

test('headers and cookies', () => {
  const headers = new Headers([
    ['X-Id', '3'],
    ['Set-Cookie', 'a=1; Path=/'],
    ['Set-Cookie', 'session=x=y; HttpOnly'],
  ]);
  const response = { text: '', headers };
  assert.equal(captured({ header: 'x-id' }, response), '3');
  assert.equal(captured({ header: 'gone' }, response), undefined);
  assert.equal(captured({ cookie: 'session' }, response), 'x=y');
  assert.equal(captured({ cookie: 'sess' }, response), undefined);
});
