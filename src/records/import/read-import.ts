import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import { formats, looksLike, mostBytes } from './import-formats.js';
import { FileProblem } from './round/file-problem.js';
import { checked, type Round } from './round/round.js';
import { isJson } from './round/shape.js';

/** A file that is one of its format, as far as one can say without reading all of it; value: of JSON. */
export type ImportFile = {
  path: string;
  name: string;
  bytes: number;
  sha256: string;
  changed: Date;
  begin: string;
  value?: unknown;
};

/**
 * Looks at a file before it is read: is it there, and is it what it is said to be?
 * @throws {UserError}
 */
export async function lookAt(path: string, format: string): Promise<ImportFile> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new UserError(`there is no file ${path}`);
  if (found.isDirectory()) throw new UserError(`${path} is a folder`, { hint: 'Name the files in it.' });
  if (!found.isFile()) throw new UserError(`${path} is not a file`, { hint: 'Save what it prints, and import that.' });
  if (found.size === 0) throw new UserError(`${path} is empty`);
  if (found.size > mostBytes) {
    throw new UserError(`${path} has ${formatBytes(found.size)}, and ${formatBytes(mostBytes)} are the most`, {
      hint:
        format === 'jmeter-jtl'
          ? 'Let JMeter make its report (jmeter -g results.jtl -o report), and import jmeter-statistics report/statistics.json.'
          : 'Import a part of it: a window of the run is enough.',
    });
  }
  const value = formats[format].lines ? undefined : await jsonOf(path, format);
  const begin = value === undefined ? await beginOf(path) : '';
  const what = looksLike(begin, value);
  if (what === null && begin.includes('\0'))
    throw new UserError(`${path} is not text (compressed?)`, { hint: 'Unpack it first.' });
  if (what !== format) throw notOne(path, format, what);
  return {
    path,
    name: basename(path),
    bytes: found.size,
    sha256: await digest(path),
    changed: found.mtime,
    begin,
    value,
  };
}

function notOne(path: string, format: string, what: string | null) {
  const { title, known } = formats[format];
  const isFormat = what !== null && what in formats;
  return new UserError(`${path} is not ${title}${what ? `: it looks like ${what}` : ''}`, {
    hint: isFormat ? `Import it as that: benchfolio import ${what} ${path}` : `Such a file is known by this: ${known}.`,
  });
}

/**
 * Reads what was measured.
 * @param format one that becomes a record
 * @throws {UserError} the file is damaged, or says nothing of what is needed
 */
export async function readRound(
  { path, begin, value }: ImportFile,
  format: string,
  progress?: (bytes: number) => void,
): Promise<Round> {
  const { lines, read } = formats[format];
  if (!read) throw new Error(`${format} makes no record`);
  try {
    const text = () => readFile(path, 'utf8');
    return checked(lines ? await read({ path, begin, text, progress }) : read(value));
  } catch (error) {
    throw asUserError(error, path);
  }
}

/** What is wrong with a file, with its path. */
export function asUserError(error: unknown, path: string) {
  if (!(error instanceof FileProblem)) return error;
  const { line, message } = error;
  return new UserError(line === null ? `${path} ${message}` : `${path}: line ${line} ${message}`, {
    hint:
      (line ?? 0) > 1
        ? 'The file is truncated or damaged there: let the tool write it again, or cut it before that line.'
        : undefined,
    cause: error,
  });
}

/** @returns undefined: it is not JSON at all */
async function jsonOf(path: string, format: string): Promise<unknown> {
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    if (!/^\ufeff?\s*[[{]/.test(text)) return undefined;
    const what = text.split('\n', 2).every((line) => isJson(line)) ? 'a JSON value a line' : null;
    throw new UserError(`${path} is truncated or damaged: ${(cause as Error).message}`, {
      hint: what ? `It is ${what}; ${format} is one value.` : 'Let the tool write it again.',
      cause,
    });
  }
}

async function beginOf(path: string) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65536), 0, 65536, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function digest(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    createReadStream(path)
      .on('error', (cause) => {
        reject(new UserError(`cannot read ${path}: ${cause.message}`, { code: exitCodes.error, cause }));
      })
      .on('data', (chunk) => hash.update(chunk))
      .on('end', () => resolve(hash.digest('hex')));
  });
}
