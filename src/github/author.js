import { isRefused } from './errors.js';

/**
 * Who a comment of ours is by. The token of a workflow is not a user's.
 * @param {import('./client.js').Client} client
 * @returns {Promise<string>} a login
 */
export async function authorOf(client) {
  try {
    return (await client.request('GET /user')).data.login;
  } catch (error) {
    if (isRefused(error)) return 'github-actions[bot]';
    throw error;
  }
}
