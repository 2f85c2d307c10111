import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { BenchRecord, Threshold } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { reduceCase } from '../../records/reduce-case.js';
import { loadNow, underLoad } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import { disturbanceIn } from '../measure/disturbed-round.js';
import { measureCase } from '../measure/measure-case.js';
import type { Run } from '../run-context.js';
import { serviceKeeper } from '../services/service-pool.js';
import { TooShort } from './too-short.js';

/** What a probe observed, as the record has it. */
export type Observed = {
  load: number;
  achieved_rps: number | null;
  latency_ms_p50: number | null;
  latency_ms_p95: number | null;
  errors_ratio: number | null;
  met: boolean;
  reason: string | null;
};

/**
 * Measures a case once under a load, with its services started afresh.
 * @param benchCase under that load
 * @returns limited: k6 was the limit; disturbed: other programs were; thresholds: that decide, with what was observed
 * @throws {Interrupted | UserError} a service failed, or it was too short to judge (TooShort)
 */
export async function measureProbe(
  benchCase: Case,
  { folder, header, built }: { folder: string; header: Record<string, unknown>; built: CaseFailure | null },
  run: Run,
): Promise<{ observed: Observed; limited: boolean; disturbed: boolean; thresholds: Threshold[] }> {
  const keeper = serviceKeeper(run);
  const outcome = await measureCase(
    benchCase,
    { folder, rounds: 1, header, built, keeper, probed: false },
    run,
  ).finally(keeper.end);
  if (outcome.status === 'interrupted') throw new Interrupted();
  if (outcome.status === 'error') {
    throw new CaseFailure(outcome.reason ?? 'it failed', {
      hint: `The logs of services and k6 are in ${relative(run.root, folder)}.`,
    });
  }
  const record = await reduceCase(folder);
  if (record === null) throw new UserError('a probe left nothing to judge');
  rmSync(folder, { recursive: true, force: true }); // a search has dozens
  refuseTooShort(record, benchCase);
  const error = record.findings.find(({ level }) => level === 'error');
  const metricValue = (name: string) => record.metrics[name]?.value ?? null;
  return {
    observed: {
      load: loadNow(benchCase),
      achieved_rps: metricValue('throughput_rps'),
      latency_ms_p50: metricValue('latency_ms_p50'),
      latency_ms_p95: metricValue('latency_ms_p95'),
      errors_ratio: metricValue('errors_ratio'),
      met: record.verdict === 'pass',
      reason: record.reason,
    },
    // Out of users is not a limit of k6's here: there are twice as many as the thresholds allow.
    limited: error?.id === 'generator-limited' && isBehind(metricValue),
    disturbed: disturbanceIn(record) !== null,
    thresholds: record.thresholds.filter(({ level, implicit }) => level === 'fail' && !implicit),
  };
}

/** Could k6 itself not keep up? */
function isBehind(metricValue: (name: string) => number | null) {
  const late_ms = metricValue('generator_lateness_ms_p99');
  return late_ms === null
    ? (metricValue('generator_cpu_ratio') ?? 0) > limits.generator_busy_ratio
    : late_ms > limits.lateness_ms;
}

/**
 * What cannot be judged would be as good as missed, however low the load.
 * @throws {TooShort}
 */
function refuseTooShort({ findings, thresholds }: BenchRecord, benchCase: Case) {
  const few = findings.find(({ id, level }) => id === 'too-few-samples' && level === 'error');
  if (!few) return;
  const seconds = Number(benchCase.window.to_s) - benchCase.window.from_s;
  // In the order of the case's; one that lies at an edge of the window may not be there the next time.
  const shares = benchCase.thresholds.flatMap(({ level, min_samples }, i) =>
    level === 'fail' && thresholds[i].outcome === 'unknown'
      ? (Number(thresholds[i].count) - 1) / (min_samples ?? 1)
      : [],
  );
  throw new TooShort(few.text, { load: loadNow(benchCase), seconds, share: Math.max(0, Math.min(...shares)) });
}

/** @param folder of the run */
export const probeFolder = (folder: string, n: number) => join(folder, 'probes', String(n));

/** A case under a load that is tried. */
export function probed(benchCase: Case, load: number, seconds: number) {
  return underLoad(benchCase, { load: Number(load.toPrecision(5)), seconds });
}
