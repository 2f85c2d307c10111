import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact, redactor } from '../../src/process/redact.js';

const percent = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(/[!'()*~.-]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const lower = (/** @type {string} */ text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const html = (/** @type {string} */ text) =>
  text.replace(/[&<>"']/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '&#39;');
const json = (/** @type {string} */ text) => JSON.stringify(text).slice(1, -1);

/** @type {Record<string, (text: string) => string>} */
const spellings = {
  plain: (text) => text,
  percent: encodeURIComponent,
  'percent, lower case': (text) => lower(encodeURIComponent(text)),
  'percent, all that may be': percent,
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent twice, lower case': (text) => lower(encodeURIComponent(lower(encodeURIComponent(text)))),
  form: (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  path: encodeURI,
  json,
  'json twice': (text) => json(json(text)),
  'json, ASCII alone': (text) =>
    json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'json with slashes': (text) => json(text).replaceAll('/', '\\/'),
  html,
  'html by number': (text) => [...text].map((one) => `&#${one.codePointAt(0)};`).join(''),
  'html, hexadecimal': (text) => [...text].map((one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  'json in html': (text) => html(json(text)),
};

/** @type {Record<string, (text: string) => string>} */
const within = {
  'base64 of user and password': (text) => `Basic ${Buffer.from(`user:${text}`).toString('base64')}`,
  'base64, alone': (text) => Buffer.from(text).toString('base64'),
  'base64, one before': (text) => Buffer.from(`x${text}yz`).toString('base64'),
  'base64, two before': (text) => Buffer.from(`xy${text}z`).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(`x${text}`).toString('base64url'),
  'base64 in a URL': (text) => encodeURIComponent(Buffer.from(`xy${text}`).toString('base64')),
};

/** Numbers that are the same each time (Park and Miller). @param {number} seed */
function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const alphabets = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=',
  '0123456789abcdef',
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  'aä ß€😀\\"\'<&>%+/\t',
  'abcdefghijklmnopqrstuvwxyz.-_~',
].map((alphabet) => [...alphabet]);

const random = numbers(20261122);
const tokens = Array.from({ length: 200 }, (_, i) => {
  const alphabet = alphabets[i % alphabets.length];
  return Array.from({ length: 8 + random(40) }, () => alphabet[random(alphabet.length)]).join('');
});

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
