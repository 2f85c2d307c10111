import { join } from 'node:path';
import { writeJson } from '../../base/io/files.js';
import type { CaseFailure } from '../../base/process/failure.js';
import { redact } from '../../base/process/redact.js';

/** How many lines of a log are shown at the terminal: what Node.js says of an error has about a dozen. */
const shownLines = 15;

/** What our part of k6 says of sampled answers: it does not explain a failure. */
const ofAnswers = /msg="benchfolio: answer: /;

/**
 * Writes down why a case has no numbers, without secrets.
 * @param folder the case's
 * @returns more: lines for the terminal that help to find out why
 */
export async function writeFailure(
  folder: string,
  failure: CaseFailure,
  secrets: readonly string[],
): Promise<{ reason: string; more: string[] }> {
  const clean = (text: string | null) => text && redact(text, secrets);
  const { code, reason, detail, log_tail } = failure.record();
  const written = { code, reason: redact(reason, secrets), detail: clean(detail), log_tail: clean(log_tail) };
  await writeJson(join(folder, 'failure.json'), written);
  const shown = written.log_tail
    ?.split('\n')
    .filter((line) => !ofAnswers.test(line))
    .slice(-shownLines)
    .map((line) => `  ${line}`);
  return {
    reason: written.reason,
    more: [
      ...(written.detail?.split('\n') ?? []),
      ...(shown?.length ? [`${failure.logPath} ends with:`, ...shown] : []),
    ],
  };
}
