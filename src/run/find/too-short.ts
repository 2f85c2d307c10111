import { UserError } from '../../base/errors.js';
import { formatPlain } from '../../base/format.js';

/** The longest that a load can be measured, in seconds. */
export const longestProbe_s = 600;

/** So much longer than it would have taken this time: no two probes observe equally much. */
const margin = 1.1;

/** A load cannot be judged: there were too few observations in the time of a probe. */
export class TooShort extends UserError {
  explanation: string;

  /** @param probe share: of the observations that are needed */
  constructor(why: string, { load, seconds, share }: { load: number; seconds: number; share: number }) {
    const longer = Math.ceil((seconds / share) * margin);
    const enough = longer <= longestProbe_s ? `--probe ${longer}s` : null;
    super(`${seconds} s are too short to judge. ${why}`, {
      hint: `${enough ? `Probe longer (${enough}), or begin` : 'Begin'} with a higher load (--from).`,
    });
    this.name = 'TooShort';
    this.explanation = `${formatPlain(load)} cannot be judged in ${seconds} s${enough ? ` (${enough} would do)` : ''}`;
  }
}
