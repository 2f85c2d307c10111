import { readFileSync } from 'node:fs';
import { UserError } from '../../base/errors.js';

/**
 * Which repository, commit and pull request it is about. head: the commit that was measured; named: somebody said which pull
 * request it is; pulls: numbers of pull requests that it may be; from: else where they come from; started: when it was begun to
 * be measured, by the clock of GitHub (ISO 8601)
 */
export type PullTarget = {
  repository: { owner: string; repo: string };
  head: string | null;
  pulls: number[];
  from: { owner: string; fullName: string; branch: string } | null;
  started: string | null;
  named?: boolean;
};

/**
 * As much of GitHub's events as is read here: of a pull request, a push or anything else, and of the end of another workflow.
 */
type Pull = { number?: number; base?: { repo?: { id?: number } }; head?: { sha?: string } };

type Event = { pull_request?: Pull | null; after?: string; repository?: { id?: number }; workflow_run?: WorkflowRun };

type WorkflowRun = {
  pull_requests?: Pull[];
  event: string;
  head_sha: string;
  head_branch: string;
  run_started_at?: string;
  head_repository: { full_name: string; owner: { login: string } } | null;
};

/**
 * Works it out from the options, else from the event that started the workflow.
 * @throws {UserError} no repository, or an event that cannot be read
 */
export function targetOf(
  { repository = undefined, pull, head }: { repository?: string; pull?: number; head?: string },
  env: NodeJS.ProcessEnv,
): PullTarget {
  const event = eventIn(env.GITHUB_EVENT_PATH);
  const fromEvent = event.workflow_run ? ofWorkflowRun(event.workflow_run, event.repository) : ofEvent(event);
  const [owner, repo, more] = (repository ?? env.GITHUB_REPOSITORY ?? '').split('/');
  if (!owner || !repo || more !== undefined) {
    throw new UserError('cannot tell which repository this is', {
      hint: 'Pass --repository owner/name, or set GITHUB_REPOSITORY.',
    });
  }
  const pulls = pull === undefined ? fromEvent.pulls : [pull];
  return { ...fromEvent, repository: { owner, repo }, head: head ?? fromEvent.head, pulls, named: pull !== undefined };
}

const ofEvent = ({ pull_request: pull, after }: Event) => ({
  head: [pull?.head?.sha, after].find(isCommit) ?? null,
  pulls: numbersOf([pull ?? []].flat()),
  from: null,
  started: null,
});

const numbersOf = (pulls: Pull[]) =>
  pulls.flatMap(({ number }) => (number !== undefined && Number.isInteger(number) ? [number] : []));

const isTime = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));

const isCommit = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{40,64}$/.test(text);

/** The event that started a run: of a fork the list of pull requests is empty. */
function ofWorkflowRun(run: WorkflowRun, repository: Event['repository']) {
  const ours = (run.pull_requests ?? []).filter(({ base }) => base?.repo?.id === repository?.id);
  const source = run.event === 'pull_request' ? run.head_repository : null;
  return {
    head: run.head_sha,
    pulls: numbersOf(ours),
    started: isTime(run.run_started_at) ? run.run_started_at : null,
    from: source && { owner: source.owner.login, fullName: source.full_name, branch: run.head_branch },
  };
}

function eventIn(path: string | undefined): Event {
  if (!path) return {};
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const why = (cause as Error).message;
    throw new UserError(`cannot read the event in ${path} (GITHUB_EVENT_PATH): ${why}`, { cause });
  }
}
