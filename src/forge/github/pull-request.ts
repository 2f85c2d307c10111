import type { Client } from './github-client.js';
import type { PullTarget } from './target.js';

/** head: its commit as it is now; base: the branch it is for */
export type Pull = { number: number; head: string; base: string };

/**
 * The open pull requests that a target may mean: by their numbers, or, as the event of a fork's run does not have them, by where
 * their commit comes from. Never by anything that the measured code could have written.
 */
export async function candidatePulls(client: Client, { repository, pulls, from }: PullTarget): Promise<Pull[]> {
  const numbers = pulls.length > 0 ? pulls : from ? await pullsFrom(client, repository, from) : [];
  return Promise.all(numbers.map((number) => readPull(client, repository, number)));
}

/**
 * Chooses the pull request for which a comparison was made: that whose base it measured. Two pull requests may have one commit, and
 * another base.
 * @param base the commit that was measured as base; null: the comparison does not say
 * @returns a sentence: there is none
 */
export async function choosePull(
  client: Client,
  repository: PullTarget['repository'],
  pulls: readonly Pull[],
  base: string | null,
): Promise<Pull | string> {
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
 */
async function isBaseOf(
  client: Client,
  repository: PullTarget['repository'],
  { head, base }: Pull,
  commit: string,
): Promise<boolean> {
  const compare = (from: string, to: string) =>
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

function whenUnknown(error: { status?: number }): null {
  if (error.status === 404 || error.status === 422) return null; // no such commit here
  throw error;
}

export async function readPull(client: Client, repository: PullTarget['repository'], number: number): Promise<Pull> {
  const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...repository,
    pull_number: number,
  });
  return { number, head: data.head.sha, base: data.base.ref };
}

async function pullsFrom(
  client: Client,
  repository: PullTarget['repository'],
  { owner, fullName, branch }: NonNullable<PullTarget['from']>,
) {
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
