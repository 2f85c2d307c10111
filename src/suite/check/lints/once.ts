import type { Case } from '../../cases/expand.js';
import type { Lint } from './lints.js';

/** A request that a user sends once is of use by its captures and cookies. */
export function lintOnce({ scenario, requests, cookies }: Case): Lint[] {
  const once = (requests ?? []).filter(({ once_per_user }) => once_per_user);
  if (!once.length || cookies === 'user' || once.some(({ capture }) => Object.keys(capture).length > 0)) return [];
  return [
    {
      path: ['scenarios', scenario, 'requests', 0, 'once_per_user'],
      focus: 'key' as const,
      message: `nothing stays of ${once[0].name}: it captures nothing, and its cookies go with the iteration`,
      hint: 'Set cookies = "user" in the scenario, or capture a value.',
    },
  ];
}
