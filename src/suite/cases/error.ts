/** The keys and indexes that lead to a value of a spec: ['scenarios', 'hello', 'requests', 0, 'get']. */
export type Path = (string | number)[];

/** What to do about a problem: a sentence, or a name that is not known and those that are (`check` finds the nearest). */
export type Hint = string | { got: unknown; known: Iterable<string> };

/**
 * Takes one problem of a spec. `raise` throws it; `benchfolio check` gathers them all, so whoever reports must be able
 * to go on.
 */
export type Report = (path: Path, message: string, hint?: Hint, focus?: Focus) => void;

/** What it is about: the key itself, its value (as usual), or a part of the value's text */
export type Focus = 'key' | 'value' | { part: string };

/** Something wrong in a spec, with the path of the key that it is about. */
export class SpecError extends Error {
  path: Path;
  hint: string | undefined;

  /**
   * @param message what is wrong and where
   * @param options hint: what to do
   */
  constructor(message: string, { path = [], hint }: { path?: Path; hint?: string } = {}) {
    super(message);
    this.name = 'SpecError';
    this.path = path;
    this.hint = hint;
  }

  /** The text that k6 prints when nobody catches it. */
  toString() {
    return `${this.message}${this.hint ? `. ${this.hint}` : ''}`;
  }
}

/**
 * The Report of those who stop at the first problem.
 * @throws {SpecError} always; its text starts with the place: nothing else shows it there
 */
export function raise(path: Path, message: string, hint?: Hint): never {
  const prefix = path.length ? `${showPath(path)}: ` : '';
  throw new SpecError(prefix + message, { path, hint: hint && showHint(hint) });
}

function showHint(hint: Hint) {
  if (typeof hint === 'string') return hint;
  const known = [...hint.known];
  return known.length ? `Known: ${known.join(', ')}.` : 'There is none.';
}

/**
 * A path as one would write it in TOML.
 * @returns scenarios.hello.requests[0].get
 */
export function showPath(path: Path): string {
  return path.reduce((text: string, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const shown = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
    return text ? `${text}.${shown}` : shown;
  }, '');
}
