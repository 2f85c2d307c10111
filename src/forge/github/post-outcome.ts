import type { Comparison } from '../../../reports/schema/types.d.ts';
import { exitCodes } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { annotationsOf } from '../annotations.js';
import { type CommentContext, commentText } from '../comment-text.js';
import { resultsIn } from '../marker.js';
import { beginCheck, completeCheck } from './check-run.js';
import type { Client } from './github-client.js';
import { describeError, githubError, isRefused } from './github-errors.js';
import { addToSummary } from './job-summary.js';
import { keepComment } from './post-comment.js';
import { candidatePulls, choosePull, type Pull } from './pull-request.js';
import type { PullTarget } from './target.js';

/** check: the name of a check run; inconclusive: its conclusion then; suite: where the specs are */
type PostOptions = {
  comparison: Comparison;
  context: Omit<CommentContext, 'before'>;
  target: PullTarget;
  check: string | null;
  inconclusive?: 'neutral' | 'failure';
  suite: { root: string } | null;
  reports?: string;
};

type Placed = { target: PullTarget; context: Pick<PostOptions['context'], 'marker' | 'site' | 'artifact'> };

type Streams = Pick<World, 'env' | 'stdout' | 'stderr'>;

/** number: of the pull request; others: open ones of the same commit; unmatched: why it is none of them */
type CheckPlace = { number: number | null; others: number[]; unmatched: string | null };

/**
 * Posts a comparison: in the job's summary, in a comment on the pull request, and by a check. Where a comment is not
 * possible its text goes to the log.
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postOutcome(client: Client, options: PostOptions, world: Streams): Promise<void> {
  const comparison = { ...options.comparison, time: timeOf(options.comparison, options.target) };
  const text = await commentText(comparison, { ...options.context, before: [] }, options.reports);
  const isSummed = addToSummary(text, world.env);
  const log = (why: string) => {
    world.stderr.write(`no comment: ${why}; its text is ${isSummed ? 'in the summary of the job and ' : ''}here\n`);
    world.stdout.write(`${text}\n`);
  };
  try {
    // A check that was begun must end, also where the comment could not be written.
    const { pull, ...where } = await placeOf(client, options).catch(async (error) => {
      const unknown = {
        number: null,
        others: [],
        unmatched: `The pull request could not be read: ${describeError(error)}`,
      };
      await postCheck(client, options, text, world, unknown).catch(() => {});
      throw error;
    });
    const isCurrent = await postComment(client, { ...options, comparison, pull }, world, log).catch(async (error) => {
      await postCheck(client, options, text, world, where).catch(() => {});
      throw error;
    });
    await postCheck(client, options, text, world, { ...where, onlyBegun: !isCurrent });
  } catch (error) {
    throw githubError(error);
  }
}

/** @returns this token may not read pull requests */
function whenRefused(error: unknown): null {
  if (isRefused(error)) return null;
  throw error;
}

/**
 * Where an outcome is posted. Where several open pull requests have one commit, its check is that of all: what passes in one of
 * them does not hide that it fails in another. Where none of them has the base that was measured, nothing is said of any.
 * @returns pull: a sentence: there is none; null: pull requests may not be read
 */
async function placeOf(
  client: Client,
  { comparison, target }: PostOptions,
): Promise<{ pull: Pull | string | null } & CheckPlace> {
  const pulls = await candidatePulls(client, target).catch(whenRefused);
  if (pulls === null) return { pull: null, number: null, others: [], unmatched: null };
  // With --pull somebody says which it is.
  const pull = target.named
    ? pulls[0]
    : await choosePull(client, target.repository, pulls, comparison.commits?.base ?? null);
  const number = typeof pull === 'string' ? null : pull.number;
  return {
    pull,
    number,
    others: pulls.map((candidate) => candidate.number).filter((other) => other !== number),
    unmatched: typeof pull === 'string' && pulls.length > 0 ? pull : null,
  };
}

/**
 * @param given pull: a sentence: there is none; null: pull requests may not be read
 * @returns false: the commit is not the newest any more, and nothing may change
 */
async function postComment(
  client: Client,
  { comparison, context, target, reports, pull }: PostOptions & { pull: Pull | string | null },
  { stdout }: Streams,
  log: (why: string) => void,
): Promise<boolean> {
  const head = target.head;
  try {
    if (pull === null || typeof pull === 'string') {
      log(pull ?? 'this token may not write it');
      return true;
    }
    const outcome = await keepComment(client, {
      repository: target.repository,
      pull: pull.number,
      head: head ?? pull.head,
      time: comparison.time,
      marker: context.marker,
      quiet: comparison.cases.length === 0,
      write: (before) => commentText(comparison, { ...context, before }, reports),
    });
    const isNothing = outcome.did === 'nothing';
    stdout.write(isNothing ? `nothing is changed: ${outcome.why}\n` : `comment ${outcome.did}: ${outcome.url}\n`);
    return !isNothing;
  } catch (error) {
    if (githubError(error) === error) throw error;
    log(`${isRefused(error) ? 'this token may not write it. ' : ''}${describeError(error)}`);
    if (isRefused(error)) return true;
    throw error;
  }
}

/**
 * When a comparison was begun, by the clock of GitHub where the event has it: by its own a forged one could be newer than all that
 * follow.
 */
function timeOf({ time }: Comparison, { started }: PullTarget): string {
  if (started !== null) return new Date(started).toISOString();
  const now = new Date();
  return new Date(time) > now ? now.toISOString() : time;
}

/** @param options onlyBegun: a new one would say something of a commit that is not the newest */
async function postCheck(
  client: Client,
  { comparison, context, target, check, inconclusive, suite }: PostOptions,
  text: string,
  { stdout }: Streams,
  { number, others, unmatched, onlyBegun = false }: CheckPlace & { onlyBegun?: boolean },
) {
  if (check === null || target.head === null) return;
  const title = resultsIn(text, context.marker)?.[0]?.text ?? comparison.verdict;
  if (unmatched !== null) {
    const outcome = {
      exit: exitCodes.inconclusive,
      title: 'Posted on no pull request',
      summary: `${unmatched}.`,
      annotations: [],
    };
    const done = await completeCheck(client, checkOf(target.head, check, { target, context }), outcome, {
      onlyBegun,
      others,
    });
    if (done !== null) stdout.write(`${done}\n`);
    return;
  }
  const posted = await completeCheck(
    client,
    { ...checkOf(target.head, check, { target, context }), pull: number },
    {
      exit: comparison.exit,
      // A change that touches nothing that is measured has no cases: it must not wait for anybody.
      inconclusive: comparison.cases.length === 0 ? 'neutral' : inconclusive,
      title,
      summary: text,
      annotations: annotationsOf(comparison, suite),
    },
    { onlyBegun, others },
  );
  if (posted !== null) stdout.write(`${posted}\n`);
}

/**
 * Says by a check that the measuring has begun.
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postBegin(
  client: Client,
  { head, check, ...options }: { head: string; check: string } & Placed,
  { stdout }: Pick<Streams, 'stdout'>,
) {
  try {
    stdout.write(`${await beginCheck(client, checkOf(head, check, options))}\n`);
  } catch (error) {
    throw githubError(error);
  }
}

/**
 * Says by a check that there is no outcome: what was begun must not look as if it went on. A comment of an earlier
 * commit stays; it says of which it is.
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postMissing(
  client: Client,
  { head, check, ...options }: { head: string; check: string } & Placed,
  why: string,
  { stdout }: Pick<Streams, 'stdout'>,
) {
  const outcome = { exit: exitCodes.error, title: 'There is no comparison', summary: why, annotations: [] };
  try {
    stdout.write(`${await completeCheck(client, checkOf(head, check, options), outcome)}\n`);
  } catch (error) {
    throw githubError(error);
  }
}

const checkOf = (head: string, name: string, { target, context }: Placed) => ({
  repository: target.repository,
  head,
  name,
  id: context.marker,
  url: context.site ?? context.artifact,
});
