import type { Focus, Hint, Path } from '../cases/error.js';
import type { TomlError } from '../cases/toml.js';
import { hintText } from '../nearest.js';
import type { Problem } from './code-frame.js';
import { positionsIn } from './positions.js';

type Note = {
  path: Path;
  /** a place that overrides it, if the file has it: a profile's */
  over?: Path;
  level?: 'error' | 'warn' | 'info';
  message: string;
  hint?: Hint;
  focus?: Focus;
};

/** What is to be said about a file: gathered by path, each once, and given a line and column at the end. */
export class Notes {
  file: string;
  text: string;
  #notes: Map<string, Note> = new Map();
  #placed: Problem[] = [];

  /** @param file as it is shown */
  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  add(note: Note) {
    const key = JSON.stringify([note.path, note.message]);
    if (!this.#notes.has(key)) this.#notes.set(key, note);
  }

  /** Adds that the file is not TOML. */
  addBroken({ reason, line, column, hint }: TomlError) {
    const message = `not valid TOML: ${reason}`;
    this.#placed.push({ file: this.file, level: 'error', line, column, length: 1, message, hint: hint ?? null });
  }

  /** @returns in the order of the file */
  problems(): Problem[] {
    if (!this.#notes.size) return this.#placed;
    let positions: ReturnType<typeof positionsIn> | null = null;
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
