// By relative path and full file name: k6 resolves modules as a browser does. The package bundles smol-toml, so that
// the path holds in other people's node_modules too.
import { parse } from '../../../node_modules/smol-toml/dist/index.js';
import { SpecError } from './error.js';

/** A table of TOML as somebody wrote it: whoever reads a key checks its value. */
export type TomlTable = Record<string, any>;

/** Says where a text stops being TOML, and why. */
export class TomlError extends SpecError {
  reason: string;
  line: number;
  column: number;

  /** @param where from 1 */
  constructor(reason: string, { line, column, hint }: { line: number; column: number; hint?: string }) {
    super(`line ${line}, column ${column}: not valid TOML: ${reason}`, { hint });
    this.name = 'TomlError';
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/** A spec that somebody wrote is smaller and flatter by far. */
const most = { characters: 4_000_000, depth: 100 };

/**
 * Reads TOML.
 * @returns tables are ordinary objects, dates texts
 * @throws {TomlError} also where it is too long, or nested too deep
 */
export function parseToml(text: string): TomlTable {
  if (text.length > most.characters) {
    const length = `it has ${text.length} characters, and at most ${most.characters} are read`;
    throw new TomlError(length, { line: 1, column: 1, hint: 'Many rows belong in a file of their own: `rows`.' });
  }
  try {
    return ordinary(parse(text), 0) as TomlTable;
  } catch (error) {
    throw explained(error, text);
  }
}

/**
 * Turns tables of smol-toml into ordinary objects: theirs have no prototype, which equality and some libraries stumble
 * over.
 */
function ordinary(value: unknown, depth: number): unknown {
  if (depth > most.depth) throw new TomlError(`tables are more than ${most.depth} deep`, { line: 1, column: 1 });
  if (Array.isArray(value)) return value.map((item) => ordinary(item, depth + 1));
  if (value instanceof Date) return value.toISOString(); // a date without a time stays one
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordinary(item, depth + 1)]));
}

/** @param error of smol-toml */
function explained(error: unknown, text: string) {
  if (error instanceof TomlError) return error;
  const { message, line, column } = error as Error & { line?: number; column?: number };
  if (line === undefined || column === undefined) return error;
  const reason = message.replace(/^Invalid TOML document: /, '').split('\n')[0];
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  return new TomlError(reason, { line, column, hint: hintFor(source, column) });
}

/**
 * Names the usual cause.
 * @param source the line
 * @param column from 1
 */
function hintFor(source: string, column: number): string | undefined {
  const quotes = source.replaceAll('\\"', '').split('"').length - 1;
  if (column > source.trimEnd().length && quotes % 2) return 'Is a closing quote missing?';
  const bare = /=\s*([A-Za-z0-9][\w.-]*)\s*(#.*)?$/.exec(source)?.[1];
  return bare && !/^(true|false|[\d._+-]+)$/.test(bare) ? `Texts and durations have quotes: "${bare}".` : undefined;
}
