import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { UserError } from '../errors.js';
import { patience } from './retry.js';

const Client = Octokit.plugin(paginateRest, patience);

/** @typedef {InstanceType<typeof Client>} Client */

/**
 * What speaks to GitHub.
 * @param {{ url: string, token: string | null, say: (sentence: string) => void }} given url: of the API
 * @returns {Client}
 * @throws {UserError} there is no token
 */
export function clientFor({ url, token, say }) {
  if (!token) {
    throw new UserError('there is no token for GitHub', {
      hint: 'Set GITHUB_TOKEN (in a workflow to ${{ github.token }}), or only print it: --dry-run.',
    });
  }
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  return new Client({ auth: token, baseUrl: url.replace(/\/+$/, ''), userAgent: 'benchfolio', log, say });
}
