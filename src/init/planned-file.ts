import { lstatSync } from 'node:fs';
import { UserError } from '../base/errors.js';
import { textOf } from './read-repository.js';

/**
 * A file of somebody's repository. text: what it is to hold; state: whether it is written, gets more lines, has them all
 * already, or is left to its owner, because it is there and differs; what: it is for.
 */
export type PlannedFile = { file: string; text: string; state: 'new' | 'more' | 'same' | 'left'; what: string };

/** A file that is there stays: whatever it is, a link to nowhere too. */
export function planned(file: string, text: string, what: string): PlannedFile {
  const there = statOf(file);
  if (!there) return { file, text, what, state: 'new' };
  return { file, text, what, state: textOf(file) === text ? 'same' : 'left' };
}

/** @throws {UserError} something on the way is not a folder */
export function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    throw new UserError(`${path} cannot be written: something above it is a file, not a folder`, {
      hint: 'Rename that file, or run init in a folder of its own.',
    });
  }
}
