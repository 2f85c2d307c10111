import type { Case } from '../../cases/expand.js';
import type { Lint } from './lints.js';

/** The generator takes time away from services on its machine: their numbers are not those of a machine of their own. */
export function lintMachine({ environment, services }: Case): Lint[] {
  if (!services.length) return [];
  return [
    {
      level: 'info',
      path: [], // about no line in particular: looking for one takes longer than all the rest
      message:
        `k6 and the services of "${environment}" share one machine: give each its cores (\`cpus\`), ` +
        'or measure from another one',
    },
  ];
}
