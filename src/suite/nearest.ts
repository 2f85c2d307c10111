import { closest, distance } from 'fastest-levenshtein';
import type { Hint } from './cases/error.js';

/**
 * The name that was probably meant.
 * @returns null: none is near
 */
export function nearest(got: string, known: Iterable<string>): string | null {
  const names = [...known];
  if (!got || !names.length) return null;
  const lower = got.toLowerCase();
  const swapped = names.find((name) => letters(name.toLowerCase()) === letters(lower));
  if (swapped !== undefined) return swapped;
  const best = closest(
    lower,
    names.map((name) => name.toLowerCase()),
  );
  const name = names[names.findIndex((candidate) => candidate.toLowerCase() === best)];
  return distance(lower, best) <= Math.max(1, Math.floor(got.length * 0.3)) ? name : null;
}

/** Swapped letters are two edits, and the commonest slip. */
const letters = (word: string) => [...word].sort().join('');

/** More names than this are not listed. */
const mostListed = 24;

/** A hint about a name that is not known: the nearest one, or all there are. */
export function hintText(hint: Hint | undefined): string | null {
  if (hint === undefined || typeof hint === 'string') return hint ?? null;
  const known = [...hint.known];
  const near = typeof hint.got === 'string' ? nearest(hint.got, known) : null;
  if (near !== null) return `Did you mean "${near}"?`;
  if (!known.length) return null;
  return known.length <= mostListed ? `Known: ${known.join(', ')}.` : null;
}
