import type { Case } from '../../cases/expand.js';
import type { Lint } from './lints.js';

/** When a service is up again is seen by its `ready`; without one it is taken to be at once. */
export function lintFaults({ scenario, faults, services }: Case): Lint[] {
  const unknown = services.filter(
    ({ name, ready }) => ready === null && faults.some(({ service, action }) => service === name && action !== 'pause'),
  );
  return unknown.map(({ name }) => ({
    path: ['scenarios', scenario, 'faults'],
    focus: 'key' as const,
    message: `the service "${name}" has no \`ready\`: when it is up again after a fault is not known`,
    hint: 'Errors still show when requests succeed again.',
  }));
}
