import { exitCodes, UserError } from '../../base/errors.js';

/** The parts of an error of Octokit that are read here. */
type RequestError = {
  name?: string;
  status?: number;
  message?: string;
  response?: { headers: Record<string, string | number | undefined> };
};

/**
 * Whether an error means that the token may not do this: forks, pull requests that are locked, missing permissions.
 * That is not an error, and there are other places for a text.
 */
export function isRefused(error: unknown): boolean {
  const request = Object(error) as RequestError;
  return request.status === 404 || (request.status === 403 && !isRateLimit(request));
}

const isRateLimit = ({ message, response }: RequestError) =>
  response?.headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(String(message));

/**
 * Says for people what came back.
 * @param error of
 * @octokit/request-error
 */
export function describeError(error: unknown): string {
  const { status, message, response } = error as RequestError;
  const text = String(message)
    .split(/[\r\n]/)[0]
    .replace(/ - https:\S+$/, '');
  return response ? `GitHub answered ${status}, ${text}` : `GitHub did not answer: ${text}`;
}

/**
 * Any other answer of GitHub's, as an error that is known.
 * @returns a UserError of code 4; the error itself when it is not GitHub's
 */
export function githubError(error: unknown): unknown {
  const { name, status } = error as RequestError;
  if (name !== 'HttpError') return error;
  const hints = {
    401: 'Is the token in GITHUB_TOKEN still good?',
    422: 'GitHub does not take it: is the commit known there (--head), and is it that repository (--repository)?',
  } as Record<number, string>;
  return new UserError(`it could not be posted: ${describeError(error)}`, {
    code: exitCodes.error,
    hint: hints[Number(status)] ?? 'Try again later; --api-url says where its API is.',
    cause: error,
  });
}
