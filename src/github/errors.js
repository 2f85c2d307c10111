import { exitCodes, UserError } from '../errors.js';
import { saidBy, waitAfter } from './retry.js';

/**
 * Whether an error means that the token may not do this: forks, pull requests that are locked, missing permissions.
 * That is nobody's fault, and there are other places for a text.
 * @param {any} error
 * @returns {boolean}
 */
export const isRefused = (error) => error?.status === 404 || (error?.status === 403 && waitAfter(error, 1, 0) === null);

/**
 * Any other answer of GitHub's, as an error that is known.
 * @param {unknown} error
 * @returns {unknown} a UserError of code 4; the error itself when it is not GitHub's
 */
export function githubError(error) {
  const { name, status } = /** @type {any} */ (error);
  if (name !== 'HttpError') return error;
  const hints = /** @type {Record<number, string>} */ ({
    401: 'Is the token in GITHUB_TOKEN still good?',
    422: 'GitHub does not take it: is the commit known there (--head), and is it that repository (--repository)?',
  });
  return new UserError(`it could not be told: ${saidBy(error)}`, {
    code: exitCodes.error,
    hint: hints[status] ?? 'Try again later; --api-url says where its API is.',
    cause: error,
  });
}
