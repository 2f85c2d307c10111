import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { reduceRound } from '../../records/reduce-case.js';
import { limits } from '../../suite/cases/tables.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */
/** @import { Case } from '../../suite/cases/expand.js' */

/** Findings that say that nothing of a round counts, and that k6 or the load was held up. */
const causes = ['disturbed', 'generator-delayed'];

/** Findings that say that the load was not reached, which may be what a slow system looks like. */
const overload = ['saturated', 'unfinished'];

/**
 * @param {string} folder of the case
 * @param {number} round that was measured
 * @param {Pick<Case, 'external' | 'services' | 'window'>} benchCase
 * @returns {Promise<string | null>} how other programs disturbed it, so that it is measured again; null: they did not, or the
 *   system may have done so itself
 */
export async function disturbanceOf(folder, round, benchCase) {
  const record = await reduceRound(folder, round);
  return isBeyondSystem(record, benchCase) ? disturbanceIn(record) : null;
}

/**
 * Could the system not have been the cause? Else its slow rounds would be measured again until they are fast. What of it
 * runs elsewhere on this machine looks like one of the other programs, and of what is not sampled no second is known; a load
 * that was not reached may be its doing; and where its services took all that k6 did not need, in any second, they may have
 * kept k6 waiting.
 * @param {BenchRecord} record of one round
 * @param {Pick<Case, 'external' | 'services' | 'window'>} benchCase
 * @returns {boolean}
 */
export function isBeyondSystem(record, { external, services, window }) {
  const unseen = external.length > 0 || services.some(({ sampled }) => !sampled);
  if (unseen || record.findings.some(({ id }) => overload.includes(id))) return false;
  if (!record.findings.some(({ id }) => id === 'generator-delayed')) return true;
  const { metrics, fingerprint } = record;
  const needed = mostUsed(record, window.from_s) + (metrics.generator_cpu_ratio_mean?.value ?? Infinity);
  return needed <= limits.machine_full_ratio * (fingerprint.cores ?? 1);
}

/**
 * @param {BenchRecord} record
 * @param {number} from_s
 * @returns {number} the most cores that the services used together in a second of the window; Infinity: not known
 */
function mostUsed({ timeline }, from_s) {
  const services = Object.values(timeline?.services ?? {}).map(({ cpu_ratio }) => cpu_ratio);
  const seconds = (timeline?.t ?? []).flatMap((t, i) => (t !== null && t > from_s ? [i] : []));
  const used = seconds
    .filter((i) => services.every((series) => series[i] !== null))
    .map((i) => services.reduce((sum, series) => sum + Number(series[i]), 0));
  return services.length > 0 && used.length > 0 ? Math.max(...used) : Infinity;
}

/** @param {BenchRecord} record @returns {string | null} how others disturbed it */
export function disturbanceIn({ findings }) {
  const first = findings.find(({ level }) => level === 'error');
  return first && causes.includes(first.id) ? first.text : null;
}

/**
 * Keeps the files of a round under another name, where no record is made of them.
 * @param {string} folder of the case
 * @param {number} round
 * @param {number} time the how-many-eth time it was measured
 */
export function setAside(folder, round, time) {
  const names = readdirSync(folder);
  for (const name of names.filter((other) => other === `round-${round}` || other.startsWith(`round-${round}.`))) {
    renameSync(join(folder, name), join(folder, `disturbed-${time}-${name}`));
  }
}
