import { setTimeout as sleep } from 'node:timers/promises';
import { type EarlierResult, resultsIn } from '../marker.js';
import type { Client } from './github-client.js';
import { isRefused } from './github-errors.js';
import { readPull } from './pull-request.js';

/** A comment of ours. */
type Own = { id: number; url: string; body: string; results: EarlierResult[] };

/**
 * head: the commit that was compared; time: when; quiet: it is worth no comment where none is there yet; write: makes the
 * text, given what was posted before
 */
type Message = {
  repository: { owner: string; repo: string };
  pull: number;
  marker: string;
  head: string;
  time: string;
  quiet?: boolean;
  write: (before: EarlierResult[]) => Promise<string>;
};

/** As often as somebody else writes at the same time. */
const most_rounds = 10;

/** After this time whoever began before us has written, too. */
const settled_ms = 1500;

/**
 * Leaves one comment of ours with the newest result, however many do this at once: the oldest is kept, other copies are
 * deleted, and what was written is read once more.
 */
export async function keepComment(
  client: Client,
  message: Message,
): Promise<{ did: 'created' | 'updated' | 'kept'; url: string } | { did: 'nothing'; why: string }> {
  let author = await authorOf(client);
  let made = '';
  let did: 'created' | 'updated' | null = null;
  for (let round = 1; ; round += 1) {
    const { head } = await readPull(client, message.repository, message.pull);
    if (head !== message.head) {
      return { did: 'nothing', why: `the pull request is at ${short(head)} by now, not at ${short(message.head)}` };
    }
    const [kept, ...copies] = await ownComments(client, message, author);
    if (!kept && message.quiet)
      return { did: 'nothing', why: 'there was nothing to measure, and nothing was posted before' };
    if (!kept) {
      if (made) return { did: 'created', url: made }; // it is not listed yet
      ({ author, url: made } = await create(client, message));
      did = 'created';
      continue;
    }
    await Promise.all(copies.map(({ id }) => remove(client, message, id)));
    const posted = newest([kept, ...copies], message.head);
    if (posted && posted.time > message.time) {
      return { did: 'nothing', why: `a newer comparison of ${short(head)} is posted already` };
    }
    const isOurs = kept.results[0]?.head === message.head && kept.results[0].time === message.time;
    if (did && (isOurs || round > most_rounds)) return { did, url: kept.url };
    const body = await message.write(kept.results);
    if (kept.body === body) return { did: 'kept', url: kept.url };
    // Making the text takes a while, and longer than settled_ms on a busy machine: a comment that came meanwhile is not
    // overwritten.
    const [now] = await ownComments(client, message, author);
    if (now?.body !== kept.body && round <= most_rounds) continue;
    if (await update(client, message, kept.id, body)) did ??= 'updated';
    await sleep(settled_ms);
  }
}

const short = (commit: string) => commit.slice(0, 10);

/** @returns the newest result of a commit */
const newest = (own: Own[], head: string): EarlierResult | undefined =>
  own
    .flatMap(({ results }) => results.slice(0, 1))
    .filter((result) => result.head === head)
    .sort((a, b) => (a.time < b.time ? 1 : -1))[0];

/** Comments with our marker that we wrote, on all pages, the oldest first. Anybody can write a marker. */
async function ownComments(client: Client, { repository, pull, marker }: Message, author: string): Promise<Own[]> {
  const all = await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...repository,
    issue_number: pull,
    per_page: 100,
  });
  return all
    .filter(({ user }) => user?.login === author)
    .map(({ id, html_url, body = '' }) => ({ id: Number(id), url: html_url, body, results: resultsIn(body, marker) }))
    .filter((comment) => comment.results !== null)
    .map((comment) => ({ ...comment, results: comment.results ?? [] }))
    .sort((a, b) => a.id - b.id);
}

/** @returns author: who wrote it, as GitHub sees it */
async function create(client: Client, { repository, pull, write }: Message): Promise<{ author: string; url: string }> {
  const { data } = await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...repository,
    issue_number: pull,
    body: await write([]),
  });
  return { author: data.user?.login ?? '', url: data.html_url };
}

const update = (client: Client, { repository }: Message, id: number, body: string): Promise<boolean> =>
  isThere(
    client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...repository, comment_id: id, body }),
  );

const remove = (client: Client, { repository }: Message, id: number): Promise<boolean> =>
  isThere(
    client.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...repository, comment_id: id }),
  );

/** Somebody else may have deleted it meanwhile. */
const isThere = (request: Promise<unknown>) =>
  request.then(
    () => true,
    (error) => {
      if (error.status === 404) return false;
      throw error;
    },
  );

/**
 * Who a comment of ours is by. The token of a workflow is not a user's.
 * @returns a login
 */
async function authorOf(client: Client): Promise<string> {
  try {
    return (await client.request('GET /user')).data.login;
  } catch (error) {
    if (isRefused(error)) return 'github-actions[bot]';
    throw error;
  }
}
