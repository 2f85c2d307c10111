import { appendFileSync, statSync } from 'node:fs';

/** GitHub shows no summary of a step that is longer. */
const most_bytes = 2 ** 20;

/**
 * Adds to the summary of the job, where there is one.
 * @returns false: there is none, or no room in it
 */
export function addToSummary(markdown: string, { GITHUB_STEP_SUMMARY: file }: NodeJS.ProcessEnv): boolean {
  if (!file) return false;
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const text = `${markdown}\n\n`;
  if (size + Buffer.byteLength(text) > most_bytes) return false;
  try {
    appendFileSync(file, text);
  } catch {
    return false; // there is a comment, or the log
  }
  return true;
}
