import type { Path, Report } from './error.js';
import type { CaseThreshold } from './thresholds.js';

/** Refuses thresholds on what this scenario does not have. */
export function refuseTargets(
  thresholds: (CaseThreshold & { path: Path })[],
  { groups, per_user, faults }: { groups: string[]; per_user: boolean; faults: object[] },
  report: Report,
) {
  for (const {
    metric,
    selector: { group },
    source,
    path,
  } of thresholds) {
    const key = path.filter((step) => typeof step === 'string');
    if (metric === 'group_duration' && groups.length && group !== undefined && !groups.includes(group)) {
      report(key, `there is no group "${group}"`, { got: group, known: groups }, 'key');
    }
    if (source !== 'record') continue;
    if (metric === 'receiving_rate' && !per_user) {
      report(
        key,
        'users are not told apart: there is no receiving_rate',
        'Set per_user = true in the scenario.',
        'key',
      );
    }
    if (metric !== 'receiving_rate' && !faults.length) {
      const hint = 'Faults are [[scenarios.<name>.faults]].';
      report(key, `the scenario has no faults: there is no ${metric}`, hint, 'key');
    }
  }
}
