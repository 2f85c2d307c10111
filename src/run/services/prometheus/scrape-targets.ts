import { ask } from './ask.js';
import type { PrometheusTarget } from './settings.js';

/** As Prometheus has it. */
type ActiveTarget = { health: string; lastError: string; labels: Record<string, string> };

/**
 * What a private Prometheus cannot read.
 * @returns for people
 */
export async function failedTargets(target: PrometheusTarget): Promise<string[]> {
  const failed = (await targetsOf(target)).filter(({ health }) => health !== 'up');
  return failed.map(
    ({ labels, lastError }) =>
      `the metrics of service "${labels.service}" cannot be read (${lastError || 'not read yet'})`,
  );
}

/**
 * How many targets a private Prometheus has not tried yet; it does not know them all at once.
 * @param all how many there are to be
 */
export async function unreadTargets(target: PrometheusTarget, all: number) {
  return all - (await targetsOf(target)).filter(({ health }) => health !== 'unknown').length;
}

async function targetsOf(target: PrometheusTarget): Promise<ActiveTarget[]> {
  const { data } = await ask(target, 'targets?state=active', null);
  return (data as { activeTargets: ActiveTarget[] } | undefined)?.activeTargets ?? [];
}
