import type { Path, Report } from './error.js';
import { originOf, originsOf } from './origin.js';

/**
 * Refuses requests to hosts that the environment does not name.
 * @returns the same
 */
export function refuseHosts<Sent extends { path: string; method: string }>(
  requests: Sent[],
  target: { baseUrl: string; hosts: string[] },
  path: Path,
  report: Report,
): Sent[] {
  requests.forEach((request, i) => {
    const origin = originOf(request.path);
    if (origin === null || originsOf(target).includes(origin)) return;
    report(
      [...path, i, request.method.toLowerCase()],
      `${origin} is not the host of the environment`,
      `Write the path alone, or add it to the environment: hosts = ["${origin}"].`,
    );
  });
  return requests;
}
