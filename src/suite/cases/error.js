/**
 * The keys and indexes that lead to a value of a spec: ['scenarios', 'hello', 'requests', 0, 'get'].
 * @typedef {(string | number)[]} Path
 */

/**
 * What to do about a problem: a sentence, or a name that is not known and those that are (`check` finds the nearest).
 * @typedef {string | { got: unknown, known: Iterable<string> }} Hint
 */

/**
 * Takes one problem of a spec. `raise` throws it; `benchfolio check` gathers them all, so whoever reports must be able
 * to go on.
 * @typedef {(path: Path, message: string, hint?: Hint, focus?: Focus) => void} Report
 * @typedef {'key' | 'value' | { part: string }} Focus what it is about: the key itself, its value (as usual), or a part
 *   of the value's text
 */

/** Something wrong in a spec, with the path of the key that it is about. */
export class SpecError extends Error {
  /**
   * @param {string} message what is wrong and where
   * @param {{ path?: Path, hint?: string }} [options] hint: what to do
   */
  constructor(message, { path = [], hint } = {}) {
    super(message);
    this.name = 'SpecError';
    this.path = path;
    this.hint = hint;
  }

  /** What k6 prints when it is not caught. */
  toString() {
    return `${this.message}${this.hint ? `. ${this.hint}` : ''}`;
  }
}

/**
 * The Report of those who stop at the first problem.
 * @type {(path: Path, message: string, hint?: Hint) => never}
 * @throws {SpecError} always; its text starts with the place: nothing else shows it there
 */
export function raise(path, message, hint) {
  const prefix = path.length ? `${showPath(path)}: ` : '';
  throw new SpecError(prefix + message, { path, hint: hint && showHint(hint) });
}

/** @param {Hint} hint */
function showHint(hint) {
  if (typeof hint === 'string') return hint;
  const known = [...hint.known];
  return known.length ? `Known: ${known.join(', ')}.` : 'There is none.';
}

/**
 * A path as one would write it in TOML.
 * @param {Path} path
 * @returns {string} scenarios.hello.requests[0].get
 */
export function showPath(path) {
  return path.reduce((/** @type {string} */ text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const shown = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
    return text ? `${text}.${shown}` : shown;
  }, '');
}
