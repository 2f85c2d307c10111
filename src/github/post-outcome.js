import { exitCodes } from '../errors.js';
import { annotationsOf } from './annotations.js';
import { beginCheck, completeCheck } from './check.js';
import { keepComment } from './comment.js';
import { commentText } from './comment-text.js';
import { describeError, githubError, isRefused } from './errors.js';
import { resultsIn } from './marker.js';
import { findPull } from './pull.js';
import { addToSummary } from './summary.js';

/** @import { Comparison } from '../../reports/schema/types.d.ts' */
/** @import { UserError } from '../errors.js' */
/** @import { World } from '../world.js' */
/** @import { Client } from './client.js' */
/** @import { CommentContext } from './comment-text.js' */
/** @import { PullTarget } from './target.js' */

/**
 * @typedef {{ comparison: Comparison, context: Omit<CommentContext, 'before'>, target: PullTarget,
 *   check: string | null, inconclusive?: 'neutral' | 'failure', suite: { root: string } | null, reports?: string }} PostOptions
 *   check: the name of a check run; inconclusive: its conclusion then; suite: where the specs are
 * @typedef {{ target: PullTarget, context: Pick<PostOptions['context'], 'marker' | 'site' | 'artifact'> }} Placed
 * @typedef {Pick<World, 'env' | 'stdout' | 'stderr'>} Streams
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
  const text = await commentText(options.comparison, { ...options.context, before: [] }, options.reports);
  const isSummed = addToSummary(text, world.env);
  const log = (/** @type {string} */ why) => {
    world.stderr.write(`no comment: ${why}; its text is ${isSummed ? 'in the summary of the job and ' : ''}here\n`);
    world.stdout.write(`${text}\n`);
  };
  try {
    // A check that was begun must end, also where the comment could not be written.
    const isCurrent = await postComment(client, options, world, log).catch(async (error) => {
      await postCheck(client, options, text, world).catch(() => {});
      throw error;
    });
    await postCheck(client, options, text, world, { onlyBegun: !isCurrent });
  } catch (error) {
    throw githubError(error);
  }
}

/**
 * @param {Client} client
 * @param {PostOptions} given
 * @param {Streams} world
 * @param {(why: string) => void} log
 * @returns {Promise<boolean>} false: the commit is not the newest any more, and nothing may change
 */
async function postComment(client, { comparison, context, target, reports }, { stdout }, log) {
  const head = target.head;
  try {
    const pull = await findPull(client, target);
    if (typeof pull === 'string') {
      log(pull);
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
 * @param {Client} client
 * @param {PostOptions} given
 * @param {string} text
 * @param {Streams} world
 * @param {{ onlyBegun?: boolean }} [options] onlyBegun: a new one would say something of a commit that is not the newest
 */
async function postCheck(
  client,
  { comparison, context, target, check, inconclusive, suite },
  text,
  { stdout },
  { onlyBegun = false } = {},
) {
  if (check === null || target.head === null) return;
  const title = resultsIn(text, context.marker)?.[0]?.text ?? comparison.verdict;
  const posted = await completeCheck(
    client,
    checkOf(target.head, check, { target, context }),
    {
      exit: comparison.exit,
      // A change that touches nothing that is measured has no cases: it must not wait for anybody.
      inconclusive: comparison.cases.length === 0 ? 'neutral' : inconclusive,
      title,
      summary: text,
      annotations: annotationsOf(comparison, suite),
    },
    { onlyBegun },
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
