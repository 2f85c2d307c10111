/** @import { Client } from './github-client.js' */
/** @import { PullTarget } from './target.js' */

/**
 * @typedef {{ number: number, head: string, base: string }} Pull head: its commit as it is now; base: the branch it is for
 */

/**
 * The open pull requests that a target may mean: by their numbers, or, as the event of a fork's run does not have them, by where
 * their commit comes from. Never by anything that the measured code could have written.
 * @param {Client} client
 * @param {PullTarget} target
 * @returns {Promise<Pull[]>}
 */
export async function candidatePulls(client, { repository, pulls, from }) {
  const numbers = pulls.length > 0 ? pulls : from ? await pullsFrom(client, repository, from) : [];
  return Promise.all(numbers.map((number) => readPull(client, repository, number)));
}

/**
 * Chooses the pull request for which a comparison was made: that whose base it measured. Two pull requests may have one commit, and
 * another base.
 * @param {Client} client
 * @param {PullTarget['repository']} repository
 * @param {readonly Pull[]} pulls
 * @param {string | null} base the commit that was measured as base; null: the comparison does not say
 * @returns {Promise<Pull | string>} a sentence: there is none
 */
export async function choosePull(client, repository, pulls, base) {
  if (pulls.length === 0) return 'there is no open pull request of this commit';
  const all = pulls.map(({ number }) => `#${number}`).join(', ');
  if (base === null) {
    return pulls.length === 1
      ? pulls[0]
      : `${pulls.length} open pull requests have this commit (${all}): --pull names one`;
  }
  const ofBase = [];
  for (const pull of pulls) if (await isBaseOf(client, repository, pull, base)) ofBase.push(pull);
  if (ofBase.length === 1) return ofBase[0];
  return ofBase.length === 0
    ? `the base that was measured, ${base.slice(0, 10)}, is not that of ${all}`
    : `${ofBase.length} open pull requests have this commit and this base (${all}): --pull names one`;
}

/**
 * Whether a commit may be the base of a pull request: it is on the branch that this is for, and not older than where both part.
 * @param {Client} client
 * @param {PullTarget['repository']} repository
 * @param {Pull} pull
 * @param {string} commit
 * @returns {Promise<boolean>}
 */
async function isBaseOf(client, repository, { head, base }, commit) {
  const compare = (/** @type {string} */ from, /** @type {string} */ to) =>
    client
      .request('GET /repos/{owner}/{repo}/compare/{basehead}', {
        ...repository,
        basehead: `${from}...${to}`,
        per_page: 1,
      })
      .then(({ data }) => data, whenUnknown);
  const onBranch = await compare(commit, base);
  if (onBranch === null || !['ahead', 'identical'].includes(onBranch.status)) return false;
  const parted = await compare(base, head);
  if (parted === null) return false;
  const since = await compare(parted.merge_base_commit.sha, commit);
  return since !== null && ['ahead', 'identical'].includes(since.status);
}

/** @param {{ status?: number }} error @returns {null} */
function whenUnknown(error) {
  if (error.status === 404 || error.status === 422) return null; // no such commit here
  throw error;
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
  return { number, head: data.head.sha, base: data.base.ref };
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
