import { isRefused } from './errors.js';

/** @import { Annotation } from './annotations.js' */
/** @import { Client } from './client.js' */

/**
 * @typedef {{ repository: { owner: string, repo: string }, head: string, name: string, id: string,
 *   url: string | null }} Check name: a stable one, that can be required; id: which of the check runs of that name is
 *   ours; url: where more is
 * @typedef {{ exit: number, inconclusive?: 'neutral' | 'failure', title: string, summary: string, annotations: Annotation[] }} CheckOutcome
 *   exit: that of the comparison; inconclusive: what the check concludes of what could not be decided
 */

/** So many annotations are taken in one request. */
const batchSize = 50;

/** What GitHub takes of these texts. */
const most = { title: 255, summary: 65_535, description: 140 };

/**
 * What a check concludes, by exit code.
 * @param {number} exit
 * @param {'neutral' | 'failure'} [inconclusive] of what could not be decided
 * @returns {'success' | 'failure' | 'neutral'}
 */
export const conclusionOf = (exit, inconclusive = 'neutral') =>
  exit === 0 ? 'success' : exit === 3 ? inconclusive : 'failure';

/**
 * Says that the measuring goes on.
 * @param {Client} client
 * @param {Check} check
 * @returns {Promise<string>} what was done
 */
export const beginCheck = (client, check) =>
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
 * @param {Client} client
 * @param {Check} check
 * @param {CheckOutcome} outcome
 * @param {{ onlyBegun?: boolean }} [options] onlyBegun: not by a new one
 * @returns {Promise<string | null>} what was done; null: nothing
 */
export const completeCheck = (client, check, outcome, { onlyBegun = false } = {}) =>
  firstAllowed([
    () => completeRun(client, check, outcome, onlyBegun),
    async () => (onlyBegun ? null : setStatus(client, check, stateOf(outcome.exit), outcome.title)),
  ]);

/** @param {Client} client @param {Check} check @param {CheckOutcome} outcome @param {boolean} onlyBegun */
async function completeRun(client, check, { exit, inconclusive, title, summary, annotations }, onlyBegun) {
  const conclusion = conclusionOf(exit, inconclusive);
  const output = { title: title.slice(0, most.title), summary: summary.slice(0, most.summary) };
  const begun = await findRun(client, check);
  if (begun === null && onlyBegun) return null;
  const first = {
    ...bodyOf(check),
    status: /** @type {const} */ ('completed'),
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

/** @param {Check} check */
const bodyOf = ({ repository, name, id, url }) => ({
  ...repository,
  name,
  external_id: id,
  ...(url ? { details_url: url } : {}),
});

/**
 * A job of a workflow may have the same name: ours is known by its id.
 * @param {Client} client
 * @param {Check} check
 * @returns {Promise<number | null>}
 */
async function findRun(client, { repository, head, name, id }) {
  const runs = await client.paginate('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...repository,
    ref: head,
    check_name: name,
    filter: 'all',
    per_page: 100,
  });
  const ours = runs.filter(({ external_id, status }) => external_id === id && status !== 'completed');
  return ours.length ? Math.max(...ours.map((run) => Number(run.id))) : null;
}

/**
 * A status is never neutral, and unclear is never green.
 * @param {number} exit
 * @returns {'success' | 'failure' | 'error'}
 */
const stateOf = (exit) => (exit === 0 ? 'success' : exit === 1 ? 'failure' : 'error');

/**
 * A commit status, where the token belongs to no app.
 * @param {Client} client
 * @param {Check} check
 * @param {'pending' | 'success' | 'failure' | 'error'} state
 * @param {string} description
 */
async function setStatus(client, { repository, head, name, url }, state, description) {
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

/**
 * @template {string | null} Done
 * @param {(() => Promise<Done>)[]} ways the next one where one is not allowed
 * @returns {Promise<Done | string>}
 */
async function firstAllowed(ways) {
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  return 'no check: this token may write neither check runs (checks: write) nor statuses (statuses: write)';
}
