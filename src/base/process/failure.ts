import { exitCodes, UserError } from '../errors.js';
import type { Log } from './log.js';

/** A tool or a service failed: the case has no numbers, the others go on. What failure.json holds. */
type FailureRecord = { code: number; reason: string; detail: string | null; log_tail: string | null };

/** A case could not be measured, through no fault of the spec's form. */
export class CaseFailure extends UserError {
  detail: string | null;
  logPath: string | null;
  logTail: string | null;
  side: 'base' | 'head' | null = null;

  /**
   * @param reason one sentence: what failed
   * @param options detail: further facts; log: whose last lines are shown
   */
  constructor(
    reason: string,
    { detail, log, hint, cause }: { detail?: string; log?: Log; hint?: string; cause?: unknown } = {},
  ) {
    super(reason, { code: exitCodes.error, hint, cause });
    this.name = 'CaseFailure';
    this.detail = detail ?? null;
    this.logPath = log?.path ?? null;
    this.logTail = log?.tail() || null;
  }

  /** Says whose failure it is, where two sides are measured: once, for a build may be that of several cases. */
  of(side: 'base' | 'head'): this {
    return this.side === null ? Object.assign(this, { side, message: `${side}: ${this.message}` }) : this;
  }

  record(): FailureRecord {
    return { code: this.code, reason: this.message, detail: this.detail ?? this.hint ?? null, log_tail: this.logTail };
  }
}

/** A request failed before the load: of k6's failures the one that is a side's. */
export class RequestFailure extends CaseFailure {}

/** The run was interrupted, by Ctrl-C or a signal. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** @throws {unknown} it is another error */
export function caseFailureOf(error: unknown): CaseFailure {
  if (error instanceof CaseFailure) return error;
  throw error;
}
