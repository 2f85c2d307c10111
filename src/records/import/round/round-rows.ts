import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { FileProblem } from './file-problem.js';

/** A field of a file of samples is shorter than this; what is longer has a quote that does not end. */
const longestRow = 1e6;

/**
 * Reads a file of separated values, row by row, so that a million lines are never held.
 * @param how quoted: fields may be in double quotes, with line ends in them
 * @param take one row, and the line in which it ends
 * @param progress called with the bytes that were read so far
 * @throws {FileProblem} what `take` throws, or the file is not such a file
 */
export async function eachRow(
  path: string,
  { delimiter, quoted = true }: { delimiter: string; quoted?: boolean },
  take: (row: string[], line: number) => void,
  progress: (bytes: number) => void = () => {},
): Promise<void> {
  const parser = parse({
    delimiter,
    quote: quoted ? '"' : null,
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: longestRow,
    on_record: (row, { lines }) => {
      // A file that ends within a line end of Windows.
      row[row.length - 1] = row[row.length - 1].replace(/\r$/, '');
      take(row, lines);
      return null;
    },
  });
  parser.resume();
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on('data', () => progress(file.bytesRead));
  try {
    await pipeline(file, parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileProblem(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'opens a quote that does not end'
        : error.code === 'CSV_MAX_RECORD_SIZE'
          ? `has a row of more than ${longestRow} characters: is a quote missing?`
          : 'cannot be read as separated values',
      Number(error.lines) || null,
    );
  }
}
