import type { Fault } from '../../../reports/schema/types.d.ts';
import { formatCount, formatDuration } from '../../base/format.js';

const words = { stop: 'stopped, and started again', kill: 'killed, and started again', pause: 'paused' };

/** The faults of a record as its page shows them, round by round. */
export const faultRows = (faults: Fault[]) =>
  faults.map((fault) => {
    const { service, action, at_s: at, for_s: lasting, recover_within_s: within } = fault;
    const done = words[action as keyof typeof words] ?? action;
    return {
      when: `${formatDuration(at)} to ${formatDuration(at + lasting)}`,
      what: `${service} ${done}`,
      down: fault.down_ms.map(timeText).join(', '),
      errors: fault.errors.map(formatCount).join(', '),
      recovery: fault.recovery_ms.map((ms) => (ms === 0 ? 'at once' : timeText(ms))).join(', '),
      within: `within ${formatDuration(within)}`,
    };
  });

const timeText = (ms: number | null) => formatDuration(ms === null ? null : ms / 1000);
