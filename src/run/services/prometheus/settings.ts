import { CaseFailure } from '../../../base/process/failure.js';
import { redact } from '../../../base/process/redact.js';
import type { Case } from '../../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../../suite/run-placeholders.js';
import { secretsOf } from '../secrets.js';

/** headers: who we are, and what else is asked for */
export type PrometheusTarget = { url: string; headers: Record<string, string> };

/**
 * What a case says about Prometheus, with its secrets put in.
 * - queried: whose query API is asked; null: a private one, if there is anything to ask
 * - written: where k6 sends its metrics; null: to the private one if a query reads them; false: nowhere
 * - hide: blots out its secrets
 */
type Settings = {
  queried: PrometheusTarget | null;
  written: PrometheusTarget | false | null;
  interval_s: number;
  hide: (text: string) => string;
};

const nothing: Partial<NonNullable<Case['prometheus']>> = {};

/** Where a Prometheus takes what k6 sends. */
export const writeTarget = ({ url, headers }: PrometheusTarget): PrometheusTarget => ({
  url: `${url}/api/v1/write`,
  headers,
});

/** @throws {CaseFailure} an address is not valid: it came from the environment, or `check` would have named it */
export function settingsOf(benchCase: Case, values: RunnerValues): Settings {
  const {
    url = null,
    remote_write = null,
    scrape_interval_s = 1,
    ...who
  } = fill(benchCase.prometheus ?? nothing, values);
  const target = (address: string | null) => (address ? targetOf(address, who) : null);
  const queried = target(url);
  return {
    queried,
    written: remote_write === false ? false : (target(remote_write) ?? (queried && writeTarget(queried))),
    interval_s: scrape_interval_s,
    hide: hiderOf(benchCase, values.env),
  };
}

/** Secrets hide in the clear and as basic authentication has them. */
function hiderOf(benchCase: Case, env: NodeJS.ProcessEnv) {
  const secrets = secretsOf(benchCase, env);
  return (text: string) => redact(text, secrets).replace(/\/\/[^/@\s]*@/g, '//');
}

/** @returns credentials of the address moved to a header: fetch refuses them there */
function targetOf(
  address: string,
  {
    username,
    password,
    bearer_token,
    headers,
  }: {
    username?: string | null;
    password?: string | null;
    bearer_token?: string | null;
    headers?: Record<string, string> | null;
  },
): PrometheusTarget {
  if (!URL.canParse(address)) throw new CaseFailure('the address of Prometheus is not a URL');
  const url = new URL(address);
  const user = username ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const basic = user && `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const authorization = bearer_token ? `Bearer ${bearer_token}` : basic;
  const own: Record<string, string> = authorization ? { Authorization: authorization } : {};
  return { url: url.href.replace(/\/+$/, ''), headers: { ...own, ...headers } };
}
