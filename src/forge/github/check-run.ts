import { exitCodes } from '../../base/errors.js';
import type { Annotation } from '../annotations.js';
import type { Client } from './github-client.js';
import { isRefused } from './github-errors.js';

/**
 * name: a stable one, that can be required; id: which of the check runs of that name is ours; pull: the pull request that it
 * is of; url: where more is
 */
type Check = {
  repository: { owner: string; repo: string };
  head: string;
  name: string;
  id: string;
  pull?: number | null;
  url: string | null;
};

/** exit: that of the comparison; inconclusive: what the check concludes of what could not be decided */
type CheckOutcome = {
  exit: number;
  inconclusive?: 'neutral' | 'failure';
  title: string;
  summary: string;
  annotations: Annotation[];
};

/** So many annotations are taken in one request. */
const batchSize = 50;

/** What GitHub takes of these texts. */
const most = { title: 255, summary: 65_535, description: 140 };

/**
 * What a check concludes, by exit code.
 * @param inconclusive of what could not be decided
 */
export const conclusionOf = (
  exit: number,
  inconclusive: 'neutral' | 'failure' = 'neutral',
): 'success' | 'failure' | 'neutral' => (exit === 0 ? 'success' : exit === 3 ? inconclusive : 'failure');

/**
 * Says that the measuring goes on.
 * @returns what was done
 */
export const beginCheck = (client: Client, check: Check): Promise<string> =>
  firstAllowed([
    async () => {
      const { data } = await client.request('POST /repos/{owner}/{repo}/check-runs', {
        ...bodyOf(check),
        head_sha: check.head,
        status: 'in_progress',
        started_at: new Date().toISOString(),
      });
      return `check ${check.name} in progress: ${data.html_url}`;
    },
    () => setStatus(client, check, 'pending', 'Measuring'),
  ]);

/**
 * Says how it came out: by the check run that was begun, or a new one.
 * @param options onlyBegun: not by a new one; others: open pull requests of the same commit, which share its check
 * @returns what was done; null: nothing
 */
export const completeCheck = (
  client: Client,
  check: Check,
  outcome: CheckOutcome,
  { onlyBegun = false, others = [] }: { onlyBegun?: boolean; others?: readonly number[] } = {},
): Promise<string | null> =>
  firstAllowed([
    async () => completeRun(client, check, outcome, await withOthers(client, check, outcome, others), onlyBegun),
    async () => (onlyBegun ? null : setStatus(client, check, stateOf(outcome.exit), outcome.title)),
  ]);

/**
 * A check is of a commit, whatever pull requests have it: what fails in one of them is not replaced by what passes in another.
 */
async function withOthers(
  client: Client,
  check: Check,
  outcome: CheckOutcome,
  others: readonly number[],
): Promise<CheckOutcome> {
  if (others.length === 0 || conclusionOf(outcome.exit, outcome.inconclusive) === 'failure') return outcome;
  const runs = await runsOf(client, check);
  const ownOf = (number: number) => {
    const own = `${idOf({ ...check, pull: number })} `;
    const [newest] = runs
      .filter(({ external_id }) => external_id?.startsWith(own))
      .sort((a, b) => Number(b.id) - Number(a.id));
    return newest?.external_id?.slice(own.length);
  };
  const failed = others.find((number) => ownOf(number) === 'failure');
  if (failed === undefined) return outcome;
  const title = `Pull request #${failed}, which has the same commit, fails`;
  return {
    ...outcome,
    exit: exitCodes.fail,
    title,
    summary: `${title}. For this one: ${outcome.title}\n\n${outcome.summary}`,
  };
}

/** @param own of this pull request alone */
async function completeRun(
  client: Client,
  check: Check,
  own: CheckOutcome,
  { exit, inconclusive, title, summary, annotations }: CheckOutcome,
  onlyBegun: boolean,
) {
  const conclusion = conclusionOf(exit, inconclusive);
  const output = { title: title.slice(0, most.title), summary: summary.slice(0, most.summary) };
  const begun = await findRun(client, check);
  if (begun === null && onlyBegun) return null;
  const first = {
    ...bodyOf(check),
    external_id: `${idOf(check)}${check.pull ? ` ${conclusionOf(own.exit, own.inconclusive)}` : ''}`,
    status: 'completed' as const,
    conclusion,
    completed_at: new Date().toISOString(),
    output: { ...output, annotations: annotations.slice(0, batchSize) },
  };
  const { data } =
    begun === null
      ? await client.request('POST /repos/{owner}/{repo}/check-runs', { ...first, head_sha: check.head })
      : await client.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
          ...first,
          check_run_id: begun,
        });
  for (let from = batchSize; from < annotations.length; from += batchSize) {
    await client.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...check.repository,
      check_run_id: Number(data.id),
      output: { ...output, annotations: annotations.slice(from, from + batchSize) },
    });
  }
  return `check ${check.name}: ${conclusion}, ${data.html_url}`;
}

const bodyOf = ({ repository, name, url, ...check }: Check) => ({
  ...repository,
  name,
  external_id: idOf(check),
  ...(url ? { details_url: url } : {}),
});

/** What a check run carries. */
const idOf = ({ id, pull }: Pick<Check, 'id' | 'pull'>) => (pull ? `${id} #${pull}` : id);

/** A job of a workflow may have the same name: ours is known by its id. */
async function findRun(client: Client, check: Check): Promise<number | null> {
  const runs = await runsOf(client, check);
  // When it was begun, the pull request was not known yet.
  const ids = [check.id, idOf(check)];
  const ours = runs.filter(({ external_id, status }) => ids.includes(external_id ?? '') && status !== 'completed');
  return ours.length ? Math.max(...ours.map((run) => Number(run.id))) : null;
}

const runsOf = (client: Client, { repository, head, name }: Check) =>
  client.paginate('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...repository,
    ref: head,
    check_name: name,
    filter: 'all',
    per_page: 100,
  });

/** A status is never neutral, and unclear is never green. */
const stateOf = (exit: number): 'success' | 'failure' | 'error' =>
  exit === 0 ? 'success' : exit === 1 ? 'failure' : 'error';

/** A commit status, where the token belongs to no app. */
async function setStatus(
  client: Client,
  { repository, head, name, url }: Check,
  state: 'pending' | 'success' | 'failure' | 'error',
  description: string,
) {
  await client.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...repository,
    sha: head,
    state,
    context: name,
    description: description.slice(0, most.description),
    ...(url ? { target_url: url } : {}),
  });
  return `status ${name}: ${state}`;
}

/** @param ways the next one where one is not allowed */
async function firstAllowed<Done extends string | null>(ways: (() => Promise<Done>)[]): Promise<Done | string> {
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  return 'no check: this token may write neither check runs (checks: write) nor statuses (statuses: write)';
}
