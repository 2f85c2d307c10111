import { randomUUID } from 'node:crypto';
import { Octokit } from '@octokit/core';
import type { OctokitOptions } from '@octokit/core/types';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { UserError } from '../../base/errors.js';
import { describeError } from './github-errors.js';

const Client = Octokit.plugin(sayFailures, paginateRest, retry, throttling);

export type Client = InstanceType<typeof Client>;

/** How often a request is sent again, the longest wait before one of them, and the longest that an answer may take. */
const most = { retries: 3, wait_s: 120, answer_s: 30 };

/**
 * Makes what speaks to GitHub: it waits as GitHub asks, within bounds, and tries again what failed on GitHub's side. A
 * comment that was made although the answer was lost is made twice, and then tidied away like any other copy.
 * @param given url: of the API
 * @throws {UserError} there is no token
 */
export function clientFor({
  url,
  token,
  say,
}: {
  url: string;
  token: string | null;
  say: (sentence: string) => void;
}): Client {
  if (!token) {
    throw new UserError('there is no token for GitHub', {
      hint: 'Set GITHUB_TOKEN (in a workflow to ${{ github.token }}), or only print it: --dry-run.',
    });
  }
  const silent = () => {};
  const waits = (wait_s: number, _request: unknown, _octokit: unknown, retries: number) => {
    if (retries >= most.retries || wait_s > most.wait_s) return false;
    say(`GitHub limits requests; asking again in ${wait_s} s`);
    return true;
  };
  return new Client({
    auth: token,
    baseUrl: url.replace(/\/+$/, ''),
    userAgent: 'benchfolio',
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: fetchInTime },
    say,
    // 429 is the throttling's: it knows how long to wait
    retry: { retries: most.retries, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    throttle: { id: randomUUID(), onRateLimit: waits, onSecondaryRateLimit: waits },
  });
}

/** A plugin of Octokit's: says what failed on GitHub's side, where it is tried again. */
function sayFailures(octokit: Octokit, { say = () => {} }: OctokitOptions & { say?: (sentence: string) => void }) {
  octokit.hook.error('request', (error, { request }) => {
    const again = 'status' in error && error.status >= 500 && (request.retryCount ?? 0) < most.retries;
    if (again) say(`${describeError(error)}; asking again`);
    throw error;
  });
}

const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(most.answer_s * 1000) });
