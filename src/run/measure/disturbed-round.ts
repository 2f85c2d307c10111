import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { reduceRound } from '../../records/reduce-case.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';

/** Findings that say that nothing of a round counts, and that k6 or the load was held up. */
const causes = ['disturbed', 'generator-delayed'];

/** Findings that say that the load was not reached, which may be what a slow system looks like. */
const overload = ['saturated', 'unfinished'];

/**
 * @param folder of the case
 * @param round that was measured
 * @returns how other programs disturbed it, so that it is measured again; null: they did not, or the system may have done so
 *   itself
 */
export async function disturbanceOf(
  folder: string,
  round: number,
  benchCase: Pick<Case, 'external' | 'services' | 'window'>,
): Promise<string | null> {
  const record = await reduceRound(folder, round);
  return isBeyondSystem(record, benchCase) ? disturbanceIn(record) : null;
}

/**
 * Could the system not have been the cause? Else its slow rounds would be measured again until they are fast. What of it
 * runs elsewhere on this machine looks like one of the other programs, and of what is not sampled no second is known; a load
 * that was not reached may be its doing; and where its services took all that k6 did not need, in any second, they may have
 * kept k6 waiting.
 * @param record of one round
 */
export function isBeyondSystem(
  record: BenchRecord,
  { external, services, window }: Pick<Case, 'external' | 'services' | 'window'>,
): boolean {
  const unseen = external.length > 0 || services.some(({ sampled }) => !sampled);
  if (unseen || record.findings.some(({ id }) => overload.includes(id))) return false;
  if (!record.findings.some(({ id }) => id === 'generator-delayed')) return true;
  const { metrics, fingerprint } = record;
  const needed = mostUsed(record, window.from_s) + (metrics.generator_cpu_ratio_mean?.value ?? Infinity);
  return needed <= limits.machine_full_ratio * (fingerprint.cores ?? 1);
}

/** @returns the most cores that the services used together in a second of the window; Infinity: not known */
function mostUsed({ timeline }: BenchRecord, from_s: number): number {
  const services = Object.values(timeline?.services ?? {}).map(({ cpu_ratio }) => cpu_ratio);
  const seconds = (timeline?.t ?? []).flatMap((t, i) => (t !== null && t > from_s ? [i] : []));
  const used = seconds
    .filter((i) => services.every((series) => series[i] !== null))
    .map((i) => services.reduce((sum, series) => sum + Number(series[i]), 0));
  return services.length > 0 && used.length > 0 ? Math.max(...used) : Infinity;
}

/** @returns how others disturbed it */
export function disturbanceIn({ findings }: BenchRecord): string | null {
  const first = findings.find(({ level }) => level === 'error');
  return first && causes.includes(first.id) ? first.text : null;
}

/**
 * Keeps the files of a round under another name, where no record is made of them.
 * @param folder of the case
 * @param time the how-many-eth time it was measured
 */
export function setAside(folder: string, round: number, time: number) {
  const names = readdirSync(folder);
  for (const name of names.filter((other) => other === `round-${round}` || other.startsWith(`round-${round}.`))) {
    renameSync(join(folder, name), join(folder, `disturbed-${time}-${name}`));
  }
}
