import { isJson } from '../round/shape.js';
import { hasSecret, isSecretName, type Secrets } from './har-secrets.js';

export type PostData = {
  mimeType?: string;
  text?: string;
  encoding?: string;
  _encoding?: string;
  params?: { name: string; value?: string }[];
};

/** type: where it is not that of what is sent */
export type Body = ({ json: unknown } | { form: Record<string, string> } | { text: string }) & { type?: string };

/**
 * What was sent, without its secrets. `text` is exact, and so it is what counts; a table is written only where it is sent as the
 * same.
 * @param isThere whether the recording says that there was a body
 * @returns left: why it cannot be in a spec
 */
export function bodyOf(
  data: PostData | null | undefined,
  isThere: boolean,
  secrets: Secrets,
): { body?: Body; left?: string } {
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

/** @returns null: bytes that are no text */
function textOf(data: PostData | null | undefined): string | null {
  const text = data?.text ?? '';
  if ((data?.encoding ?? data?._encoding) !== 'base64') return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
}

/** Some tools have the fields alone, decoded or not; nothing better is known then. One of equal names is the last. */
function formOfParams(params: { name: string; value?: string }[], secrets: Secrets): Body {
  const names = params.map(({ name }) => name);
  if (new Set(names).size === names.length)
    return {
      form: Object.fromEntries(params.map(({ name, value = '' }) => [name, hiddenValue(name, value, secrets)])),
    };
  const text = params.map(({ name, value = '' }) => `${encoded(name)}=${encoded(value)}`).join('&');
  return { text: hiddenQuery(text, secrets), type: 'application/x-www-form-urlencoded' };
}

/** As a spec's form is sent (k6/shared/encode.js). */
const encoded = (value: string) => encodeURIComponent(value).replace(/%20/g, '+');

function urlencoded(text: string, type: string, secrets: Secrets): Body {
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

function decoded(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Does somebody log in with these parameters? Then `state` is a secret like `code`. */
const hasCode = (names: string[]) => names.includes('code');

function hiddenValue(name: string, value: string, secrets: Secrets, isOauth: boolean = false) {
  const isNamed = isSecretName(name) || name === 'code' || (isOauth && name === 'state');
  // An address within an address has secrets, too.
  const isEncoded = value.includes('%') && hasSecret(decoded(value));
  return value !== '' && (isNamed || isEncoded) ? secrets.placeholder(name, value) : secrets.hidden(value);
}

/** A query or an encoded form, pair by pair as it was. */
export function hiddenQuery(text: string, secrets: Secrets): string {
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
 * @returns null: it is no JSON of an object or a list
 */
function jsonOf(text: string, type: string, secrets: Secrets): Body | null {
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

/** @param text JSON */
function hiddenJson(text: string, secrets: Secrets) {
  /** The open objects and lists: the name of a secret that they belong to, and the key of the value that comes. */
  const open: { of: string | null; key: string | null }[] = [];
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
