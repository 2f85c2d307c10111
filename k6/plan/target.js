import { fillPlaceholders } from '../../dist/suite/cases/placeholders.js';
import { runnerScope } from '../../dist/suite/cases/runner-scope.js';
import { refuse } from '../shared/refuse.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * Where the requests go: BASE_URL, or else the environment's own URL, unless that takes a port that only the runner
 * gives out, or asks for confirmation.
 * @param {Case} benchCase
 * @param {Record<string, string>} env
 * @param {string} folder the spec's
 * @returns {string} without a slash at its end
 */
export function baseUrlOf(benchCase, env, folder) {
  const url = env.BASE_URL || ownUrl(benchCase, env, folder);
  if (!/^https?:\/\/[^/]/.test(url)) refuse(`"${url}" is not an http(s) URL: add -e BASE_URL=http://<host>:<port>`);
  return url.replace(/\/+$/, '');
}

/** @param {Case} benchCase @param {Record<string, string>} env @param {string} folder */
function ownUrl({ environment, url, confirm }, env, folder) {
  if (/\$\{(port|run\.dir)/.test(url)) {
    refuse(
      `environment ${environment} is at ${url}, which \`benchfolio run\` fills in when it starts the services: ` +
        'start them yourself and add -e BASE_URL=http://<host>:<port>',
    );
  }
  if (confirm !== null) refuse(`${confirm}. If you may load ${url}, add -e BASE_URL=${url}`);
  return fillPlaceholders(url, runnerScope({ ports: {}, service: undefined, specDir: folder, runDir: '', env }));
}
