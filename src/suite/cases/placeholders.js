import { raise } from './error.js';

/** @import { Focus, Hint, Path, Report } from './error.js' */

/**
 * @typedef {Record<string, unknown> | ((name: string) => unknown)} Scope names and their values, or how to find one;
 *   undefined: unknown
 */

const pattern = /\$(\$?)\{([^{}]*)\}/g;

/**
 * Puts values in for `${name}`, at any depth. A string that is exactly one placeholder takes the value's type; within
 * a longer one a value is printed plainly. A value is never expanded again.
 *
 * Stages fill what they know and leave the rest: `leave` says which names belong to a later stage. The last stage has
 * no `leave`, and turns `$${` into `${`.
 * @template T
 * @param {T} value a scalar, list or table
 * @param {Scope} scope
 * @param {{ leave?: (name: string) => boolean, path?: Path, report?: Report }} [options] path: where the value stands;
 *   report: gets a name that is neither in scope nor left; throws a SpecError unless given
 * @returns {T} what nothing was put into is the same object as before
 */
export function fillPlaceholders(value, scope, { leave, path = [], report = raise } = {}) {
  const filled = walk(value, [...path], (text, at) =>
    fillText(text, scope, leave, (message, hint, focus) => report(at, message, hint, focus)),
  );
  return /** @type {T} */ (filled);
}

/**
 * All placeholders in a value, with where they stand.
 * @param {unknown} value
 * @param {Path} [path] of the value
 * @returns {{ name: string, path: Path }[]}
 */
export function placeholdersOf(value, path = []) {
  /** @type {{ name: string, path: Path }[]} */
  const found = [];
  walk(value, [...path], (text, at) => {
    for (const [, escaped, name] of text.matchAll(pattern)) if (!escaped) found.push({ name, path: at });
    return text;
  });
  return found;
}

/**
 * Whether there is anything to fill in a value, an escape included.
 * @param {unknown} value
 * @returns {boolean}
 */
export const hasPlaceholders = (value) =>
  typeof value === 'string'
    ? value.includes('${')
    : value !== null && typeof value === 'object' && Object.values(value).some(hasPlaceholders);

/**
 * Copies only what changes, and a path only when it is needed: a suite has thousands of cases.
 * @param {unknown} value
 * @param {Path} path is changed and put back
 * @param {(text: string, path: Path) => unknown} visit
 * @returns {unknown}
 */
function walk(value, path, visit) {
  if (typeof value === 'string') return value.includes('${') ? visit(value, [...path]) : value;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const table = /** @type {Record<string | number, unknown>} */ (value); // or a list
  let copy = table;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    path.push(key);
    const item = walk(table[key], path, visit);
    path.pop();
    if (item === table[key]) continue;
    if (copy === table) copy = /** @type {typeof table} */ (Array.isArray(value) ? [...value] : { ...value });
    copy[key] = item;
  }
  return copy;
}

/**
 * @param {string} text
 * @param {Scope} scope
 * @param {((name: string) => boolean) | undefined} leave
 * @param {(message: string, hint?: Hint, focus?: Focus) => void} report
 */
function fillText(text, scope, leave, report) {
  if (text.replace(pattern, '').includes('${')) {
    report(`a placeholder in "${text}" is not closed`, 'Write ${name}, or $${ for a literal ${.');
  }
  const value = (/** @type {string} */ name) => {
    const found = typeof scope === 'function' ? scope(name) : own(scope, name);
    if (found === undefined) report(`there is no \${${name}}`, hintFor(name, scope, leave), { part: `\${${name}}` });
    return found ?? `\${${name}}`;
  };
  const whole = /^\$\{([^{}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return leave?.(whole) ? text : value(whole);
  return text.replace(pattern, (written, escaped, name) => {
    if (escaped) return leave ? written : written.slice(1);
    return leave?.(name) ? written : String(value(name));
  });
}

/**
 * Whether a value is a placeholder that nothing was put in for: that has been reported already.
 * @param {unknown} value
 */
export const isUnfilled = (value) => typeof value === 'string' && value.includes('${');

/** @param {Record<string, unknown>} scope @param {string} name */
const own = (scope, name) => (Object.hasOwn(scope, name) ? scope[name] : undefined);

/**
 * @param {string} name
 * @param {Scope} scope
 * @param {((name: string) => boolean) | undefined} leave
 * @returns {Hint | undefined}
 */
function hintFor(name, scope, leave) {
  if (typeof scope === 'function') return undefined;
  const later = ['port', 'spec.dir', 'run.dir'].filter((known) => leave?.(known));
  return { got: name, known: [...Object.keys(scope), ...later] };
}
