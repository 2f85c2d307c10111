import { CaseFailure } from '../../../base/process/failure.js';
import { redact } from '../../../base/process/redact.js';
import { fill } from '../../../suite/run-placeholders.js';
import { secretsOf } from '../secrets.js';

/** @import { Case } from '../../../suite/cases/expand.js' */
/** @import { RunnerValues } from '../../../suite/run-placeholders.js' */

/**
 * @typedef {{ url: string, headers: Record<string, string> }} PrometheusTarget headers: who we are, and what else is asked for
 */

/**
 * What a case says about Prometheus, with its secrets put in.
 * - queried: whose query API is asked; null: a private one, if there is anything to ask
 * - written: where k6 sends its metrics; null: to the private one if a query reads them; false: nowhere
 * - hide: blots out its secrets
 * @typedef {{ queried: PrometheusTarget | null, written: PrometheusTarget | false | null, interval_s: number,
 *   hide: (text: string) => string }} Settings
 */

/** @type {Partial<NonNullable<Case['prometheus']>>} */
const nothing = {};

/**
 * Where a Prometheus takes what k6 sends.
 * @param {PrometheusTarget} target
 * @returns {PrometheusTarget}
 */
export const writeTarget = ({ url, headers }) => ({ url: `${url}/api/v1/write`, headers });

/**
 * @param {Case} benchCase
 * @param {RunnerValues} values
 * @returns {Settings}
 * @throws {CaseFailure} an address is not valid: it came from the environment, or `check` would have named it
 */
export function settingsOf(benchCase, values) {
  const {
    url = null,
    remote_write = null,
    scrape_interval_s = 1,
    ...who
  } = fill(benchCase.prometheus ?? nothing, values);
  const target = (/** @type {string | null} */ address) => (address ? targetOf(address, who) : null);
  const queried = target(url);
  return {
    queried,
    written: remote_write === false ? false : (target(remote_write) ?? (queried && writeTarget(queried))),
    interval_s: scrape_interval_s,
    hide: hiderOf(benchCase, values.env),
  };
}

/**
 * Secrets hide in the clear and as basic authentication has them.
 * @param {Case} benchCase
 * @param {NodeJS.ProcessEnv} env
 */
function hiderOf(benchCase, env) {
  const secrets = secretsOf(benchCase, env);
  return (/** @type {string} */ text) => redact(text, secrets).replace(/\/\/[^/@\s]*@/g, '//');
}

/**
 * @param {string} address
 * @param {{ username?: string | null, password?: string | null, bearer_token?: string | null,
 *   headers?: Record<string, string> | null }} who
 * @returns {PrometheusTarget} credentials of the address moved to a header: fetch refuses them there
 */
function targetOf(address, { username, password, bearer_token, headers }) {
  if (!URL.canParse(address)) throw new CaseFailure('the address of Prometheus is not a URL');
  const url = new URL(address);
  const user = username ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const basic = user && `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const authorization = bearer_token ? `Bearer ${bearer_token}` : basic;
  /** @type {Record<string, string>} */
  const own = authorization ? { Authorization: authorization } : {};
  return { url: url.href.replace(/\/+$/, ''), headers: { ...own, ...headers } };
}
