import { setTimeout as sleep } from 'node:timers/promises';

/** How often a request is sent at the most, and the longest that is waited before one of them. */
const most = { tries: 4, wait_s: 120, request_s: 30 };

/** Where GitHub names no time: "wait for at least one minute". */
const unnamed_s = 60;

/**
 * A plugin of Octokit's: waits as GitHub asks when there were too many requests, and tries again what failed on its
 * side. A comment that was made although the answer was lost is made twice, and then tidied away like any other copy.
 * @param {import('@octokit/core').Octokit} octokit
 * @param {import('@octokit/core/types').OctokitOptions & { say?: (sentence: string) => void }} options
 */
export function patience(octokit, { say = () => {} }) {
  octokit.hook.wrap('request', async (request, options) => {
    for (let tries = 1; ; tries += 1) {
      const signal = AbortSignal.timeout(most.request_s * 1000);
      try {
        return await request({ ...options, request: { ...options.request, signal } });
      } catch (error) {
        const wait_s = waitAfter(error, tries, Date.now() / 1000);
        if (wait_s === null || wait_s > most.wait_s || tries === most.tries) throw error;
        say(`${saidBy(error)}; asking again in ${wait_s} s`);
        await sleep(wait_s * 1000);
      }
    }
  });
}

/**
 * What came back, for people.
 * @param {any} error of @octokit/request-error
 * @returns {string}
 */
export function saidBy({ status, message, response }) {
  const said = String(message)
    .split(/[\r\n]/)[0]
    .replace(/ - https:\S+$/, '');
  return response ? `GitHub answered ${status}, ${said}` : `GitHub did not answer: ${said}`;
}

/**
 * How long to wait before a request is sent again.
 * @param {any} error of @octokit/request-error
 * @param {number} tries
 * @param {number} now_s
 * @returns {number | null} seconds; null: it would be refused again
 */
export function waitAfter({ status, message, response }, tries, now_s) {
  if (status >= 500) return 2 ** (tries - 1);
  if (status !== 403 && status !== 429) return null;
  const headers = response?.headers ?? {};
  if (headers['retry-after'] !== undefined) return Math.max(0, Number(headers['retry-after']));
  if (headers['x-ratelimit-remaining'] === '0') {
    return Math.max(1, Math.ceil(Number(headers['x-ratelimit-reset']) - now_s) + 1);
  }
  return status === 429 || /rate limit/i.test(message) ? unnamed_s : null;
}
