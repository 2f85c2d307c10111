import { originOf, originsOf } from './origin.js';

/** @import { Path, Report } from './error.js' */

/**
 * Refuses requests to hosts that the environment does not name.
 * @template {{ path: string, method: string }} Sent
 * @param {Sent[]} requests
 * @param {{ baseUrl: string, hosts: string[] }} target
 * @param {Path} path
 * @param {Report} report
 * @returns {Sent[]} the same
 */
export function refuseHosts(requests, target, path, report) {
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
