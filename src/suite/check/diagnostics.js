import { hintText } from '../nearest.js';
import { positionsIn } from './positions.js';

/** @import { Focus, Hint, Path } from '../cases/error.js' */
/** @import { TomlError } from '../cases/toml.js' */
/** @import { Problem } from './code-frame.js' */

/**
 * @typedef {object} Note
 * @property {Path} path
 * @property {Path} [over] a place that overrides it, if the file has it: a profile's
 * @property {'error' | 'warn' | 'info'} [level]
 * @property {string} message
 * @property {Hint} [hint]
 * @property {Focus} [focus]
 */

/** What is to be said about a file: gathered by path, each once, and given a line and column at the end. */
export class Notes {
  /** @type {Map<string, Note>} */
  #notes = new Map();
  /** @type {Problem[]} */
  #placed = [];

  /**
   * @param {string} file as it is shown
   * @param {string} text
   */
  constructor(file, text) {
    this.file = file;
    this.text = text;
  }

  /** @param {Note} note */
  add(note) {
    const key = JSON.stringify([note.path, note.message]);
    if (!this.#notes.has(key)) this.#notes.set(key, note);
  }

  /** Adds that the file is not TOML. @param {TomlError} error */
  addBroken({ reason, line, column, hint }) {
    const message = `not valid TOML: ${reason}`;
    this.#placed.push({ file: this.file, level: 'error', line, column, length: 1, message, hint: hint ?? null });
  }

  /** @returns {Problem[]} in the order of the file */
  problems() {
    if (!this.#notes.size) return this.#placed;
    /** @type {ReturnType<typeof positionsIn> | null} */
    let positions = null;
    const found = [...this.#notes.values()].map(({ path, over = [], level = 'error', message, hint, focus }) => {
      const problem = { file: this.file, level, message, hint: hintText(hint) };
      if (!path.length) return { ...problem, line: null, column: null, length: null };
      positions ??= positionsIn(this.text);
      return { ...problem, ...positions.place(positions.has(over) ? over : path, focus) };
    });
    return [...this.#placed, ...found].sort(
      (a, b) => Number(a.line) - Number(b.line) || Number(a.column) - Number(b.column),
    );
  }
}
