import { refuse } from './refuse.js';

/**
 * @typedef {{ row: Record<string, any>, captured: Record<string, any>, drawn: (string | number)[],
 *   ready: Readonly<Record<string, any>> }} IterationValues of the iteration under way; drawn: for the request that is sent next;
 *   ready: what steps before the load captured, the same all along
 * @typedef {{ kind: 'row' | 'captured' | 'env' | 'random' | 'ready', name: string }} Placeholder
 * @typedef {(value: any) => string} Encode
 * @typedef {string | (() => string)} Text constant, or made anew for each request
 */

const pattern = /\$(\$?)\{([^{}]*)\}/g;

/**
 * A text as its constant parts and its placeholders; `$${` stands for `${`.
 * @param {string} text
 * @returns {(string | Placeholder)[]}
 */
export function partsOf(text) {
  /** @type {(string | Placeholder)[]} */
  const parts = [];
  let literal = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    literal += text.slice(end, match.index);
    end = /** @type {number} */ (match.index) + match[0].length;
    if (match[1]) literal += match[0].slice(1);
    else {
      parts.push(literal, placeholder(match[2]));
      literal = '';
    }
  }
  parts.push(literal + text.slice(end));
  return parts.filter((part) => part !== '');
}

/** @param {string} written @returns {Placeholder} */
function placeholder(written) {
  const [, kind, name] = /^(row|captured|env|random|ready)\.(.+)$/s.exec(written) ?? [];
  if (!kind) refuse(`there is no \${${written}} in a request`);
  return { kind: /** @type {Placeholder['kind']} */ (kind), name };
}

/**
 * Encodes what is written in a text and leaves its placeholders for later.
 * @param {string} text
 * @param {Encode} encode whose results have no `${`
 * @returns {string}
 */
export const encodeLiterals = (text, encode) =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? encode(part) : `\${${part.kind}.${part.name}}`))
    .join('');

/**
 * Compiles a text with placeholders.
 * @param {string} text
 * @param {IterationValues} values
 * @param {Encode} [encode] of what is filled in
 * @returns {Text}
 */
export const compileTemplate = (text, values, encode = String) =>
  joined(partsOf(text).map((part) => (typeof part === 'string' ? part : compilePlaceholder(part, values, encode))));

/** A string of JSON text that is one placeholder, not a key; its first quote is not an escaped one. */
const whole = /(?<!\\)"(\$\{[^{}]*\})"(?!:)/;

/**
 * JSON text with placeholders. A string that is exactly one placeholder takes the value's type.
 * @param {string} text
 * @param {IterationValues} values
 * @returns {Text}
 */
export function compileJson(text, values) {
  const within = (/** @type {any} */ value) => JSON.stringify(String(value)).slice(1, -1);
  return joined(text.split(whole).map((part, i) => compileTemplate(part, values, i % 2 ? JSON.stringify : within)));
}

/**
 * @param {Placeholder} placeholder
 * @param {IterationValues} values
 * @param {Encode} encode
 * @returns {Text}
 */
export function compilePlaceholder({ kind, name }, values, encode) {
  if (kind === 'row') return () => encode(values.row[name] ?? '');
  if (kind === 'captured') return () => encode(values.captured[name]);
  if (kind === 'random') return () => encode(values.drawn[Number(name)]);
  if (kind === 'ready') {
    if (!Object.hasOwn(values.ready, name)) {
      refuse(
        `\${ready.${name}}: no step of after_ready captured it; \`benchfolio run\` does them when services are ready`,
      );
    }
    return encode(values.ready[name]);
  }
  if (!(name in __ENV)) refuse(`\${env.${name}}: the environment variable ${name} is not set`);
  return encode(__ENV[name]);
}

/**
 * One text of several, constant if they all are.
 * @param {Text[]} parts
 * @returns {Text}
 */
export function joined(parts) {
  /** @type {Text[]} */
  const folded = [];
  for (const part of parts) {
    const last = folded.length - 1;
    if (typeof part === 'string' && typeof folded[last] === 'string') folded[last] += part;
    else folded.push(part);
  }
  if (folded.every((part) => typeof part === 'string')) return folded.join('');
  const [first, second, third = ''] = folded;
  if (folded.length === 1) return first;
  if (typeof first === 'string' && typeof second === 'function' && typeof third === 'string' && folded.length <= 3) {
    return () => first + second() + third; // the common shape, without a loop
  }
  return () => {
    let text = '';
    for (let i = 0; i < folded.length; i += 1) {
      const part = folded[i];
      text += typeof part === 'string' ? part : part();
    }
    return text;
  };
}
