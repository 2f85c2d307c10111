import { type Focus, type Hint, type Path, type Report, raise } from './error.js';

/** Names and their values, or how to find one; undefined: unknown */
type Scope = Record<string, unknown> | ((name: string) => unknown);

const pattern = /\$(\$?)\{([^{}]*)\}/g;

/**
 * Puts values in for `${name}`, at any depth. A string that is exactly one placeholder takes the value's type; within
 * a longer one a value is printed plainly. A value is never expanded again.
 *
 * Stages fill what they know and leave the rest: `leave` says which names belong to a later stage. The last stage has
 * no `leave`, and turns `$${` into `${`.
 * @param value a scalar, list or table
 * @param options path: where the value stands; report: gets a name that is neither in scope nor left; throws a SpecError
 *   unless given
 * @returns what nothing was put into is the same object as before
 */
export function fillPlaceholders<T>(
  value: T,
  scope: Scope,
  { leave, path = [], report = raise }: { leave?: (name: string) => boolean; path?: Path; report?: Report } = {},
): T {
  const filled = walk(value, [...path], (text, at) =>
    fillText(text, scope, leave, (message, hint, focus) => report(at, message, hint, focus)),
  );
  return filled as T;
}

/**
 * All placeholders in a value, with where they stand.
 * @param path of the value
 */
export function placeholdersOf(value: unknown, path: Path = []): { name: string; path: Path }[] {
  const found: { name: string; path: Path }[] = [];
  walk(value, [...path], (text, at) => {
    for (const [, escaped, name] of text.matchAll(pattern)) if (!escaped) found.push({ name, path: at });
    return text;
  });
  return found;
}

/** Whether there is anything to fill in a value, an escape included. */
export const hasPlaceholders = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('${')
    : value !== null && typeof value === 'object' && Object.values(value).some(hasPlaceholders);

/**
 * Copies only what changes, and a path only when it is needed: a suite has thousands of cases.
 * @param path is changed and put back
 */
function walk(value: unknown, path: Path, visit: (text: string, path: Path) => unknown): unknown {
  if (typeof value === 'string') return value.includes('${') ? visit(value, [...path]) : value;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const table = value as Record<string | number, unknown>; // or a list
  let copy = table;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    path.push(key);
    const item = walk(table[key], path, visit);
    path.pop();
    if (item === table[key]) continue;
    if (copy === table) copy = (Array.isArray(value) ? [...value] : { ...value }) as typeof table;
    copy[key] = item;
  }
  return copy;
}

function fillText(
  text: string,
  scope: Scope,
  leave: ((name: string) => boolean) | undefined,
  report: (message: string, hint?: Hint, focus?: Focus) => void,
) {
  if (text.replace(pattern, '').includes('${')) {
    report(`a placeholder in "${text}" is not closed`, 'Write ${name}, or $${ for a literal ${.');
  }
  const value = (name: string) => {
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

/** Whether a value is a placeholder that nothing was put in for: that has been reported already. */
export const isUnfilled = (value: unknown) => typeof value === 'string' && value.includes('${');

const own = (scope: Record<string, unknown>, name: string) => (Object.hasOwn(scope, name) ? scope[name] : undefined);

function hintFor(name: string, scope: Scope, leave: ((name: string) => boolean) | undefined): Hint | undefined {
  if (typeof scope === 'function') return undefined;
  const later = ['port', 'spec.dir', 'run.dir'].filter((known) => leave?.(known));
  return { got: name, known: [...Object.keys(scope), ...later] };
}
