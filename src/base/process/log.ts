import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileError } from '../io/files.js';
import { redactor } from './redact.js';

/** Of what a process that is read by us prints, this much is kept: the start and the end of it. */
const limits = { start: 1_000_000, end: 16_000 };

/**
 * Where the output of one process goes: `<name>.log`.
 * text: since it was opened
 */
export type Log = {
  path: string;
  stdio: ('pipe' | number)[];
  attach: (streams: (Readable | null)[]) => void;
  tail: (lines?: number) => string;
  text: () => string;
  close: () => void;
};

/**
 * Opens a log. A process writes to the file itself, and we are not in its way; one that knows secrets, or may print
 * without end, is read by us, who blot them out and cut the middle.
 * @param path appended to
 * @param options bounded: read by us in any case
 * @throws {UserError} code 4: no room, or not allowed
 */
export function openLog(
  path: string,
  { secrets = [], bounded = false }: { secrets?: readonly string[]; bounded?: boolean } = {},
): Log {
  const fd = opened(path);
  const before = fstatSync(fd).size; // what a process wrote that had the same name
  const read = bounded || secrets.length > 0;
  let users = 1;
  const release = () => {
    users -= 1;
    if (users === 0) closeSync(fd);
  };
  return {
    path,
    // The log is descriptor 3 too: by it a daemon that dropped its output is still known as ours.
    stdio: read ? ['pipe', 'pipe', fd] : [fd, fd, fd],
    attach(streams) {
      for (const stream of read ? streams : []) {
        if (!stream) continue;
        users += 1;
        pour(stream, fd, secrets).on('close', release);
      }
    },
    tail: (lines = 20) => endOf(path, 16_384).trimEnd().split('\n').slice(-lines).join('\n'),
    text: () => endOf(path, 1_048_576, before),
    close: release,
  };
}

function opened(path: string) {
  try {
    return openSync(path, 'a+');
  } catch (cause) {
    throw fileError(cause, path);
  }
}

function pour(stream: Readable, fd: number, secrets: readonly string[]) {
  const hide = redactor(secrets);
  let written = 0;
  let end = '';
  const put = (text: string) => {
    if (written < limits.start) write(fd, text);
    else end = (end + text).slice(-limits.end);
    written += text.length;
  };
  stream.setEncoding('utf8').on('data', (piece) => put(hide.push(piece)));
  return stream.on('close', () => {
    put(hide.end());
    const left = written - limits.start - end.length;
    if (end !== '') write(fd, `${left > 0 ? `\n… ${left} characters left out …\n` : ''}${end}`);
  });
}

function write(fd: number, text: string) {
  try {
    writeSync(fd, text);
  } catch {
    // A log that cannot be written (disk full) must not end the measurement: what needs the disk says so itself.
  }
}

/**
 * @param bytes at the most
 * @param from nothing before it
 */
function endOf(path: string, bytes: number, from: number = 0) {
  try {
    const fd = openSync(path, 'r');
    try {
      const { size } = fstatSync(fd);
      const start = Math.max(from, size - bytes);
      const buffer = Buffer.alloc(Math.max(0, size - start));
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}
