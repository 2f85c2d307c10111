import { sorted } from '../suite/cases/sorted.js';

/**
 * A record as the text of its file: a line for each of its parts, keys in order, so that the same record is the same
 * file.
 */
export function recordText(record: object): string {
  const lines = Object.entries(sorted(record)).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** A record as a line of a file of many (NDJSON), keys in order. */
export const recordLine = (record: object): string => `${JSON.stringify(sorted(record))}\n`;
