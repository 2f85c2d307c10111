import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact, redactor } from '../../dist/base/process/redact.js';
import { numbers, randomTokens, spellings, within } from '../support/secrets.js';

const random = numbers(20261122);
const tokens = randomTokens(200, random);

const around = 'Get "http://h/a?key=SECRET&b=1": "SECRET", SECRET\n';

test('200 random tokens of every alphabet, in every spelling, are blotted out and nothing else', () => {
  for (const token of tokens) {
    for (const [name, spell] of Object.entries(spellings)) {
      const text = around.replaceAll('SECRET', () => spell(token));
      assert.equal(redact(text, [token]), around.replaceAll('SECRET', '***'), `${name}: ${token}`);
    }
  }
});

test('within base64 what is left tells no character of it', () => {
  for (const token of tokens) {
    for (const [name, spell] of Object.entries(within)) {
      const clean = redact(`a ${spell(token)} b`, [token]);
      assert.ok(clean.includes('***'), `${name}: ${token}: ${clean}`);
      const left = clean
        .replace(/^a (Basic )?/, '')
        .replace(' b', '')
        .split('***');
      assert.ok(
        left.every((part) => decodeURIComponent(part).length <= 9),
        `${name}: ${token}: ${clean}`,
      );
    }
  }
});

test('what was cut within a secret is blotted out up to the cut', () => {
  for (const token of tokens) {
    for (const [name, spell] of Object.entries(spellings)) {
      const whole = spell(token);
      const cut = whole.slice(0, -1);
      const clean = redact(`{"key":"${cut}… and more`, [token]);
      assert.ok(!clean.includes(cut), `${name}: ${token}: ${clean}`);
      assert.ok(clean.endsWith('… and more'), clean);
    }
  }
  assert.equal(redact('pa… and pass… and password', ['password123']), 'pa… and ***… and password');
});

test('a text in pieces, cut anywhere, is the same as the whole', () => {
  for (const token of tokens.slice(0, 40)) {
    for (const spell of [...Object.values(spellings), ...Object.values(within)]) {
      const text = around.replaceAll('SECRET', () => spell(token));
      const whole = redact(text, [token]);
      const hide = redactor([token]);
      let written = '';
      for (let at = 0; at < text.length; ) {
        const to = at + 1 + random(12);
        written += hide.push(text.slice(at, to));
        at = to;
      }
      assert.equal(written + hide.end(), whole);
    }
  }
});

test('a line without a secret comes at once, and the longest of several secrets goes whole', () => {
  const hide = redactor(['abcdefgh', 'abcd']);
  assert.equal(hide.push('ready on port 8080\n'), 'ready on port 8080\n');
  assert.equal(redact('x abcdefgh y abcd', ['abcd', 'abcdefgh']), 'x *** y ***');
  assert.equal(redact('nothing', []), 'nothing');
});

test('a log of a megabyte takes a moment', () => {
  const line = `${'time=2026 level=info msg="GET /a/b?c=d 200" '.repeat(4)}\n`;
  const text = line.repeat(Math.ceil(1e6 / line.length));
  assert.equal(redact(text, tokens.slice(0, 5)), text);
});

test('in hexadecimal, and in base64 that is wrapped', () => {
  for (const token of tokens.filter((one) => Buffer.byteLength(one) >= 8)) {
    const bytes = Buffer.from(`user:${token}:and more`);
    for (const text of [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) {
      const clean = redact(text, [token]);
      assert.ok(clean.includes('***') && clean.length < text.length, `${token}: ${clean}`);
    }
    const base64 = Buffer.from(`${'x'.repeat(70)}${token}${'y'.repeat(70)}`).toString('base64');
    for (const [width, end] of /** @type {[number, string][]} */ ([
      [76, '\n'],
      [64, '\r\n'],
      [5, '\n  '],
    ])) {
      const lines = base64.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      const left = redact(lines.join(end), [token]).replaceAll(/\s/g, '');
      assert.ok(left.includes('***'), `${token} in lines of ${width}`);
      assert.ok(base64.length - left.length >= Math.floor((Buffer.byteLength(token) * 8) / 6) - 5, token);
    }
  }
});
