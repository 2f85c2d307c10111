// Secrets of every alphabet, and in what spellings they come out again.

const percent = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(/[!'()*~.-]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const lower = (/** @type {string} */ text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const html = (/** @type {string} */ text) =>
  text.replace(/[&<>"']/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '&#39;');
const json = (/** @type {string} */ text) => JSON.stringify(text).slice(1, -1);

/** One that a program may give a secret. @type {Record<string, (text: string) => string>} */
export const spellings = {
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

/** Within base64. @type {Record<string, (text: string) => string>} */
export const within = {
  'base64 of user and password': (text) => `Basic ${Buffer.from(`user:${text}`).toString('base64')}`,
  'base64, alone': (text) => Buffer.from(text).toString('base64'),
  'base64, one before': (text) => Buffer.from(`x${text}yz`).toString('base64'),
  'base64, two before': (text) => Buffer.from(`xy${text}z`).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(`x${text}`).toString('base64url'),
  'base64 in a URL': (text) => encodeURIComponent(Buffer.from(`xy${text}`).toString('base64')),
};

/** Numbers that are the same each time (Park and Miller). @param {number} seed */
export function numbers(seed) {
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

/** @param {number} length @param {(below: number) => number} random @returns {string[]} of every alphabet */
export const randomTokens = (length, random) =>
  Array.from({ length }, (_, i) => {
    const alphabet = alphabets[i % alphabets.length];
    return Array.from({ length: 8 + random(40) }, () => alphabet[random(alphabet.length)]).join('');
  });
