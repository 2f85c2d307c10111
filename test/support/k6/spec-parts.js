// Parts of specs and scripts for what only some cases ask of the driver: faults, groups, users told apart.
import { join } from 'node:path';
import { root, scenario } from './drive.js';

/** @import { Target } from './target.js' */

/** Where the load goes. */
export const env = (/** @type {Target} */ target) => ({ BASE_URL: target.url });
/** A service of an environment. */
const service = '[[environments.local.services]]\nname = "app"\ncommand = ["true"]\n';
/** A spec whose faults nobody inflicts: the target does by itself. @param {string} requests @param {string} load */
export const withFaults = (requests, load) =>
  scenario(requests, load).replace('[scenarios.s]', `${service}[scenarios.s]`);
/** A script of the scenario: what drive() is given for it. */
export const script = (/** @type {string} */ code) => ({
  entry: 'own.js',
  files: {
    'own.js': `import { sleep } from 'k6';
import { bench } from '${join(root, 'k6', 'script.js')}';
export const { options, handleSummary } = bench;
${code}`,
  },
});
/** A request of the scenario. */
export const request = (/** @type {string} */ path, more = '') =>
  `[[scenarios.s.requests]]\nget = "${path}"\n${more}\n`;
/** A fault of it. */
export const fault =
  '[[scenarios.s.faults]]\nat = "2s"\nfor = "500ms"\nrecover_within = "1500ms"\nservice = "app"\naction = "kill"\n';
