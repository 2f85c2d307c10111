import { formatPlain } from '../../../base/format.js';
import { showDuration } from '../../cases/durations.js';
import type { Case } from '../../cases/expand.js';
import { ownsLoad } from '../../cases/scenario.js';
import type { Lint, LintContext } from './lints.js';

/**
 * A ramp within the window mixes many loads into one number, where the scenario also holds a load. Whoever writes that
 * the window begins at 0 means it.
 */
export function lintWindow(benchCase: Case, { written }: LintContext): Lint[] {
  const from = written.scenarios[benchCase.scenario].window?.from;
  if (ownsLoad(written.scenarios[benchCase.scenario])) return []; // an untouched script is measured as it is
  if (!benchCase.k6.stages || (from !== undefined && benchCase.window.from_s === 0)) return [];
  const { segments } = benchCase.load;
  const holds = segments.filter(({ from: before, to, from_s, to_s }) => before === to && to > 0 && to_s > from_s);
  if (!holds.length) return []; // a ramp all the way is meant to be measured
  const { from_s, to_s } = benchCase.window;
  const ramps = segments.filter((segment) => segment.from !== segment.to);
  const ramping = ramps.reduce((sum, segment) => sum + overlap(segment, { from_s, to_s: Number(to_s) }), 0);
  if (ramping === 0) return [];
  const longest = holds.reduce((best, hold) => (hold.to_s - hold.from_s > best.to_s - best.from_s ? hold : best));
  return [
    {
      path: ['scenarios', benchCase.scenario, 'window'],
      focus: 'key' as const,
      message: `the window has ${showDuration(ramping)} of ramp in its ${showDuration(Number(to_s) - from_s)}`,
      hint:
        `The load holds at ${formatPlain(longest.to)} ${benchCase.load.kind === 'open' ? 'a second' : 'users'} from ${showDuration(longest.from_s)} to ${showDuration(longest.to_s)}: ` +
        `window = { from = "${showDuration(longest.from_s)}", to = "${showDuration(longest.to_s)}" }.`,
      weight: ramping,
    },
  ];
}

const overlap = (a: { from_s: number; to_s: number }, b: { from_s: number; to_s: number }) =>
  Math.max(0, Math.min(a.to_s, b.to_s) - Math.max(a.from_s, b.from_s));
