import { exitCodes } from '../../base/errors.js';
import { annotationsOf } from '../annotations.js';
import { commentText } from '../comment-text.js';
import { resultsIn } from '../marker.js';
import { beginCheck, completeCheck } from './check-run.js';
import { describeError, githubError, isRefused } from './github-errors.js';
import { addToSummary } from './job-summary.js';
import { keepComment } from './post-comment.js';
import { candidatePulls, choosePull } from './pull-request.js';

/** @import { Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { UserError } from '../../base/errors.js' */
/** @import { World } from '../../base/world.js' */
/** @import { Client } from './github-client.js' */
/** @import { CommentContext } from '../comment-text.js' */
/** @import { Pull } from './pull-request.js' */
/** @import { PullTarget } from './target.js' */

/**
 * @typedef {{ comparison: Comparison, context: Omit<CommentContext, 'before'>, target: PullTarget,
 *   check: string | null, inconclusive?: 'neutral' | 'failure', suite: { root: string } | null, reports?: string }} PostOptions
 *   check: the name of a check run; inconclusive: its conclusion then; suite: where the specs are
 * @typedef {{ target: PullTarget, context: Pick<PostOptions['context'], 'marker' | 'site' | 'artifact'> }} Placed
 * @typedef {Pick<World, 'env' | 'stdout' | 'stderr'>} Streams
 * @typedef {{ number: number | null, others: number[], unmatched: string | null }} CheckPlace number: of the pull request; others: open
 *   ones of the same commit; unmatched: why it is none of them
 */

/**
 * Posts a comparison: in the job's summary, in a comment on the pull request, and by a check. Where a comment is not
 * possible its text goes to the log.
 * @param {Client} client
 * @param {PostOptions} options
 * @param {Streams} world
 * @returns {Promise<void>}
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postOutcome(client, options, world) {
  const comparison = { ...options.comparison, time: timeOf(options.comparison, options.target) };
  const text = await commentText(comparison, { ...options.context, before: [] }, options.reports);
  const isSummed = addToSummary(text, world.env);
  const log = (/** @type {string} */ why) => {
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

/** @param {unknown} error @returns {null} this token may not read pull requests */
function whenRefused(error) {
  if (isRefused(error)) return null;
  throw error;
}

/**
 * Where an outcome is posted. Where several open pull requests have one commit, its check is that of all: what passes in one of them
 * does not hide that it fails in another. Where none of them has the base that was measured, nothing is said of any.
 * @param {Client} client
 * @param {PostOptions} options
 * @returns {Promise<{ pull: Pull | string | null } & CheckPlace>} pull: a sentence: there is none; null: pull requests may not be read
 */
async function placeOf(client, { comparison, target }) {
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
 * @param {Client} client
 * @param {PostOptions & { pull: Pull | string | null }} given pull: a sentence: there is none; null: pull requests may not be read
 * @param {Streams} world
 * @param {(why: string) => void} log
 * @returns {Promise<boolean>} false: the commit is not the newest any more, and nothing may change
 */
async function postComment(client, { comparison, context, target, reports, pull }, { stdout }, log) {
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
 * @param {Comparison} comparison
 * @param {PullTarget} target
 * @returns {string}
 */
function timeOf({ time }, { started }) {
  if (started !== null) return new Date(started).toISOString();
  const now = new Date();
  return new Date(time) > now ? now.toISOString() : time;
}

/**
 * @param {Client} client
 * @param {PostOptions} given
 * @param {string} text
 * @param {Streams} world
 * @param {CheckPlace & { onlyBegun?: boolean }} options onlyBegun: a new one would say something of a commit that is not the newest
 */
async function postCheck(
  client,
  { comparison, context, target, check, inconclusive, suite },
  text,
  { stdout },
  { number, others, unmatched, onlyBegun = false },
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
 * @param {Client} client
 * @param {{ head: string, check: string } & Placed} given
 * @param {Pick<Streams, 'stdout'>} world
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postBegin(client, { head, check, ...options }, { stdout }) {
  try {
    stdout.write(`${await beginCheck(client, checkOf(head, check, options))}\n`);
  } catch (error) {
    throw githubError(error);
  }
}

/**
 * Says by a check that there is no outcome: what was begun must not look as if it went on. A comment of an earlier
 * commit stays; it says of which it is.
 * @param {Client} client
 * @param {{ head: string, check: string } & Placed} given
 * @param {string} why
 * @param {Pick<Streams, 'stdout'>} world
 * @throws {UserError} code 4: GitHub could not be reached, or did not take it
 */
export async function postMissing(client, { head, check, ...options }, why, { stdout }) {
  const outcome = { exit: exitCodes.error, title: 'There is no comparison', summary: why, annotations: [] };
  try {
    stdout.write(`${await completeCheck(client, checkOf(head, check, options), outcome)}\n`);
  } catch (error) {
    throw githubError(error);
  }
}

/**
 * @param {string} head
 * @param {string} name
 * @param {Placed} given
 */
const checkOf = (head, name, { target, context }) => ({
  repository: target.repository,
  head,
  name,
  id: context.marker,
  url: context.site ?? context.artifact,
});
