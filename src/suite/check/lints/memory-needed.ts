import { formatBytes } from '../../../base/format.js';
import { showDuration } from '../../cases/durations.js';
import type { Case } from '../../cases/expand.js';
import { canBeCut, memoryOf, partsOf } from '../../cases/memory.js';
import { beyondNative } from '../../cases/native.js';
import type { Lint, LintContext } from './lints.js';

/**
 * Whether k6 fits into memory, which it keeps every value of a run in: cut into parts, or refused. A spec is not wrong
 * because this machine is small.
 */
export function lintMemory(planned: Case, { memory, here, player }: LintContext): Lint[] {
  const canBeNative = beyondNative(planned) === null;
  const benchCase: Case = player !== 'javascript' && canBeNative ? { ...planned, player: 'native' } : planned;
  const need = memoryOf(benchCase);
  if (need.bytes <= memory) return [];
  const parts = partsOf(benchCase, memory);
  const most = need.exact ? 'about' : 'up to';
  const sums =
    `${most} ${formatBytes(need.bytes)} of memory (${formatBytes(need.users)} for ${benchCase.load.users} users, ` +
    `${formatBytes(need.samples)} for what they measure), and ${formatBytes(memory)} are allowed`;
  const path = ['scenarios', benchCase.scenario, 'executor'];
  const weight = need.bytes;
  const hint = hintFor(benchCase, canBeNative && player === 'javascript');
  if (parts === null) {
    const why =
      need.bytes - need.samples > memory
        ? 'the users alone do not fit'
        : canBeCut(benchCase)
          ? 'the warm-up alone does not fit'
          : `${benchCase.faults.length ? 'a run with faults' : benchCase.k6.executor} cannot be cut into parts`;
    const level = here ? 'error' : 'warn';
    return [{ level, path, weight, message: `k6 would take ${sums}; ${why}`, hint }];
  }
  if (!need.exact) {
    if (canBeCut(benchCase)) return []; // it is cut, if it comes to that
    return [{ path, weight, message: `k6 may take ${sums}`, hint }];
  }
  const { from_s, to_s } = benchCase.window;
  const each = showDuration(from_s + (Number(to_s) - from_s) / parts);
  return [
    {
      level: 'info',
      path,
      weight,
      message: `k6 would take ${sums}: the run is cut into ${parts} k6 processes of ${each} each`,
    },
  ];
}

/** @param canBeNative and is not */
function hintFor({ k6 }: Case, canBeNative: boolean) {
  const other = canBeNative ? 'the native player (without `player` in [run]), ' : '';
  const less = k6.duration !== undefined ? 'fewer users or a shorter warm-up' : 'fewer requests, a constant-… executor';
  return `Use ${other}${less}, or set [run] memory in bench.toml on a larger machine.`;
}
