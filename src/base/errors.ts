/** What the process ends with; the first that applies over all cases is usage, error, fail, inconclusive, pass. */
export const exitCodes = { pass: 0, fail: 1, usage: 2, inconclusive: 3, error: 4 };

/**
 * An error whose cause is known and lies outside our code: it is shown without a stack.
 * The message says what is wrong and where, the hint what to do.
 */
export class UserError extends Error {
  code: number;
  hint: string | undefined;

  /** @param options code: the exit code, 2 by default */
  constructor(
    message: string,
    { code = exitCodes.usage, hint, cause }: { code?: number; hint?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'UserError';
    this.code = code;
    this.hint = hint;
  }
}
