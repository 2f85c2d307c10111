import { readFileSync } from 'node:fs';
import { UserError } from '../errors.js';

/**
 * Which repository, commit and pull request it is about.
 * @typedef {{ repository: { owner: string, repo: string }, head: string | null, pulls: number[],
 *   from: { owner: string, fullName: string, branch: string } | null }} PullTarget head: the commit that was measured;
 *   pulls: numbers of pull requests that it may be; from: else where they come from
 */

/**
 * Works it out from the options, else from the event that started the workflow.
 * @param {{ repository?: string, pull?: number, head?: string }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {PullTarget}
 * @throws {UserError} no repository, or an event that cannot be read
 */
export function targetOf({ repository = undefined, pull, head }, env) {
  const event = eventIn(env.GITHUB_EVENT_PATH);
  const fromEvent = event.workflow_run ? ofWorkflowRun(event) : ofEvent(event);
  const [owner, repo, more] = (repository ?? env.GITHUB_REPOSITORY ?? '').split('/');
  if (!owner || !repo || more !== undefined) {
    throw new UserError('which repository?', { hint: 'Say --repository owner/name, or set GITHUB_REPOSITORY.' });
  }
  const pulls = pull === undefined ? fromEvent.pulls : [pull];
  return { ...fromEvent, repository: { owner, repo }, head: head ?? fromEvent.head, pulls };
}

/** @param {any} event of a pull request, a push or anything else */
const ofEvent = ({ pull_request: pull, after }) => ({
  head: [pull?.head?.sha, after].find(isCommit) ?? null,
  pulls: Number.isInteger(pull?.number) ? [pull.number] : [],
  from: null,
});

/** @param {unknown} text */
const isCommit = (text) => typeof text === 'string' && /^[0-9a-f]{40,64}$/.test(text);

/** What a run was started by: of a fork the list of pull requests is empty. @param {any} event */
function ofWorkflowRun({ workflow_run: run, repository }) {
  const ours = (run.pull_requests ?? []).filter((/** @type {any} */ { base }) => base?.repo?.id === repository?.id);
  const source = run.event === 'pull_request' ? run.head_repository : null;
  return {
    head: run.head_sha,
    pulls: ours.map((/** @type {any} */ { number }) => number),
    from: source && { owner: source.owner.login, fullName: source.full_name, branch: run.head_branch },
  };
}

/** @param {string | undefined} path */
function eventIn(path) {
  if (!path) return {};
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const why = /** @type {Error} */ (cause).message;
    throw new UserError(`cannot read the event in ${path} (GITHUB_EVENT_PATH): ${why}`, { cause });
  }
}
