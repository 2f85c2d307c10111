import { isJson } from '../round/shape.js';
import { hasSecret, isSecretName } from './har-secrets.js';

/** @import { Secrets } from './har-secrets.js' */

/**
 * @typedef {{ mimeType?: string, text?: string, encoding?: string, _encoding?: string,
 *   params?: { name: string, value?: string }[] }} PostData
 * @typedef {({ json: unknown } | { form: Record<string, string> } | { text: string }) & { type?: string }} Body type: where it is
 *   not that of what is sent
 */

/**
 * What was sent, without its secrets. `text` is exact, and so it is what counts; a table is written only where it is sent as the
 * same.
 * @param {PostData | null | undefined} data
 * @param {boolean} isThere whether the recording says that there was a body
 * @param {Secrets} secrets
 * @returns {{ body?: Body, left?: string }} left: why it cannot be in a spec
 */
export function bodyOf(data, isThere, secrets) {
  const { mimeType = '', params = [] } = data ?? {};
  const type = mimeType.toLowerCase();
  const kind = type.split(';', 1)[0];
  const text = textOf(data);
  if (text === null) return { left: 'a body that is not text' };
  if (text === '' && params.length === 0) return isThere ? { left: 'its body is not in the recording' } : {};
  if (/multipart|octet-stream/.test(type)) return { left: `a body of ${kind}` };
  if (text === '') return { body: formOfParams(params, secrets) };
  if (type.includes('x-www-form-urlencoded')) return { body: urlencoded(text, mimeType, secrets) };
  const json = jsonOf(text, mimeType || 'application/json', secrets);
  if (json) return { body: json };
  if (type.includes('json')) return { left: 'a body that says it is JSON and is not' };
  return { body: { text: secrets.hidden(text), type: mimeType || 'text/plain' } };
}

/** @param {PostData | null | undefined} data @returns {string | null} null: bytes that are no text */
function textOf(data) {
  const text = data?.text ?? '';
  if ((data?.encoding ?? data?._encoding) !== 'base64') return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
}

/**
 * Some tools have the fields alone, decoded or not; nothing better is known then. One of equal names is the last.
 * @param {{ name: string, value?: string }[]} params @param {Secrets} secrets
 * @returns {Body}
 */
function formOfParams(params, secrets) {
  const names = params.map(({ name }) => name);
  if (new Set(names).size === names.length)
    return {
      form: Object.fromEntries(params.map(({ name, value = '' }) => [name, hiddenValue(name, value, secrets)])),
    };
  const text = params.map(({ name, value = '' }) => `${encoded(name)}=${encoded(value)}`).join('&');
  return { text: hiddenQuery(text, secrets), type: 'application/x-www-form-urlencoded' };
}

/** As a spec's form is sent (k6/shared/encode.js). @param {string} value */
const encoded = (value) => encodeURIComponent(value).replace(/%20/g, '+');

/** @param {string} text @param {string} type @param {Secrets} secrets @returns {Body} */
function urlencoded(text, type, secrets) {
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? null : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
  });
  const whole = pairs.every((pair) => pair !== null);
  const isSame =
    whole &&
    new Set(pairs.map(([name]) => name)).size === pairs.length &&
    pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&') === text;
  if (!isSame) return { text: hiddenQuery(text, secrets), type };
  const isOauth = hasCode(pairs.map(([name]) => name));
  const form = Object.fromEntries(pairs.map(([name, value]) => [name, hiddenValue(name, value, secrets, isOauth)]));
  return type === 'application/x-www-form-urlencoded' ? { form } : { form, type };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Does somebody log in with these parameters? Then `state` is a secret like `code`. @param {string[]} names */
const hasCode = (names) => names.includes('code');

/** @param {string} name @param {string} value @param {Secrets} secrets @param {boolean} [isOauth] */
function hiddenValue(name, value, secrets, isOauth = false) {
  const isNamed = isSecretName(name) || name === 'code' || (isOauth && name === 'state');
  // An address within an address has secrets, too.
  const isEncoded = value.includes('%') && hasSecret(decoded(value));
  return value !== '' && (isNamed || isEncoded) ? secrets.placeholder(name, value) : secrets.hidden(value);
}

/**
 * A query or an encoded form, pair by pair as it was.
 * @param {string} text
 * @param {Secrets} secrets
 * @returns {string}
 */
export function hiddenQuery(text, secrets) {
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  const isOauth = hasCode(pairs.map(([name]) => decoded(name)));
  return pairs
    .map(([name, value]) =>
      value === undefined
        ? secrets.hidden(name)
        : `${secrets.hidden(name)}=${hiddenValue(decoded(name), value, secrets, isOauth)}`,
    )
    .join('&');
}

/**
 * JSON without secrets, token by token so that nothing else of the text is another: numbers beyond 2^53, the order of keys.
 * @param {string} text @param {string} type @param {Secrets} secrets
 * @returns {Body | null} null: it is no JSON of an object or a list
 */
function jsonOf(text, type, secrets) {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return null;
  const { hidden, hasBareSecret } = hiddenJson(text, secrets);
  // A placeholder outside of quotes is JSON only when it is filled.
  if (hasBareSecret) return { text: hidden, type };
  const value = JSON.parse(hidden);
  const isExact = JSON.stringify(value) === hidden.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  // TOML has no null.
  return isExact && !/\bnull\b/.test(hidden.replace(/"(?:[^"\\]|\\.)*"/g, ''))
    ? { json: value, ...(type === 'application/json' ? {} : { type }) }
    : { text: hidden, type };
}

/** @param {string} text JSON @param {Secrets} secrets */
function hiddenJson(text, secrets) {
  /** The open objects and lists: the name of a secret that they belong to, and the key of the value that comes. @type {{ of: string | null, key: string | null }[]} */
  const open = [];
  let hasBareSecret = false;
  const hidden = text.replace(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|[{}[\],]/g, (token, string, colon) => {
    const here = open.at(-1);
    const of = here?.of ?? (here?.key !== null && here?.key !== undefined && isSecretName(here.key) ? here.key : null);
    if (token === '{' || token === '[') {
      open.push({ of, key: null });
      return token;
    }
    if (token === '}' || token === ']') open.pop();
    if (token === ',' && here) here.key = null;
    if (/^[}\],]/.test(token)) return token;
    if (colon && here) {
      here.key = JSON.parse(string);
      return secrets.hidden(string) + colon;
    }
    if (of === null) return string ? secrets.hidden(token) : token;
    const value = JSON.parse(token);
    if (value === '') return token;
    if (!string) hasBareSecret = true;
    const placeholder = secrets.placeholder(of, String(value));
    return string ? `"${placeholder}"` : placeholder;
  });
  return { hidden, hasBareSecret };
}
