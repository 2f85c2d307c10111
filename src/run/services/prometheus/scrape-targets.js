import { ask } from './ask.js';

/** @import { PrometheusTarget } from './settings.js' */

/** @typedef {{ health: string, lastError: string, labels: Record<string, string> }} ActiveTarget as Prometheus has it */

/**
 * What a private Prometheus cannot read.
 * @param {PrometheusTarget} target
 * @returns {Promise<string[]>} for people
 */
export async function failedTargets(target) {
  const failed = (await targetsOf(target)).filter(({ health }) => health !== 'up');
  return failed.map(
    ({ labels, lastError }) =>
      `the metrics of service "${labels.service}" cannot be read (${lastError || 'not read yet'})`,
  );
}

/**
 * How many targets a private Prometheus has not tried yet; it does not know them all at once.
 * @param {PrometheusTarget} target
 * @param {number} all how many there are to be
 */
export async function unreadTargets(target, all) {
  return all - (await targetsOf(target)).filter(({ health }) => health !== 'unknown').length;
}

/**
 * @param {PrometheusTarget} target
 * @returns {Promise<ActiveTarget[]>}
 */
async function targetsOf(target) {
  const { data } = await ask(target, 'targets?state=active', null);
  return /** @type {{ activeTargets: ActiveTarget[] } | undefined} */ (data)?.activeTargets ?? [];
}
