/** @import { Client } from './client.js' */
/** @import { PullTarget } from './target.js' */

/**
 * @typedef {{ number: number, head: string }} Pull head: its commit as it is now
 */

/**
 * The pull request that a target means: by its number, or, as the event of a fork's run does not have it, by where its
 * commit comes from. Never by anything that the measured code could have written.
 * @param {Client} client
 * @param {PullTarget} target
 * @returns {Promise<Pull | string>} a sentence: there is none
 */
export async function findPull(client, target) {
  const { repository, pulls, from } = target;
  if (pulls.length === 1) return readPull(client, repository, pulls[0]);
  const found = pulls.length > 1 ? pulls : from ? await pullsFrom(client, repository, from) : [];
  if (found.length === 1) return readPull(client, repository, found[0]);
  if (found.length === 0) return 'there is no open pull request of this commit';
  const all = found.map((number) => `#${number}`).join(', ');
  return `${found.length} open pull requests have this commit (${all}): --pull names one`;
}

/**
 * @param {Client} client
 * @param {PullTarget['repository']} repository
 * @param {number} number
 * @returns {Promise<Pull>}
 */
export async function readPull(client, repository, number) {
  const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...repository,
    pull_number: number,
  });
  return { number, head: data.head.sha };
}

/** @param {Client} client @param {PullTarget['repository']} repository @param {NonNullable<PullTarget['from']>} from */
async function pullsFrom(client, repository, { owner, fullName, branch }) {
  const pulls = await client.paginate('GET /repos/{owner}/{repo}/pulls', {
    ...repository,
    state: 'open',
    head: `${owner}:${branch}`,
    per_page: 100,
  });
  return pulls
    .filter(({ head }) => head.repo?.full_name === fullName && head.ref === branch)
    .map(({ number }) => number);
}
