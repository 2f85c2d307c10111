import { createServer } from 'node:http';

/** @import { AddressInfo } from 'node:net' */

/**
 * A server that answers as GitHub documents, as far as a comment and a check need it: pages with Link headers, tokens
 * that may do some things only, limits of rates, faults. Who asks is known by the token.
 * @typedef {{ id: number, body: string, user: { login: string }, html_url: string }} Comment
 * @typedef {{ method: string, path: string, body: any }} GithubRequest
 * @typedef {{ status: number, headers?: Record<string, string>, body?: any }} GithubAnswer
 * @typedef {object} State
 * @property {Comment[]} comments of pull request 7
 * @property {any[]} pulls
 * @property {any[]} checkRuns
 * @property {any[]} statuses
 * @property {GithubRequest[]} seen every request
 * @property {(seen: GithubRequest) => GithubAnswer | null | undefined} before answers instead, where it gives one
 * @property {number} delay_ms before each answer
 * @property {(from: string, to: string) => string} compare how `to` stands to `from`: "ahead", "behind", "diverged"
 */

export const heads = { current: 'a'.repeat(40), old: 'b'.repeat(40) };

const repository = { id: 1, full_name: 'acme/shop', owner: { login: 'acme' } };

/** Logins by token; the token of a workflow is no user's. */
const logins = /** @type {Record<string, string>} */ ({
  workflow: 'github-actions[bot]',
  app: 'acme-app[bot]',
  ann: 'ann',
});

export const refused = { status: 403, body: { message: 'Resource not accessible by integration' } };

/**
 * Starts one.
 * @returns {Promise<State & { url: string, close: () => Promise<void> }>}
 */
export async function githubServer() {
  /** @type {State} */
  const state = {
    comments: [],
    checkRuns: [],
    statuses: [],
    seen: [],
    before: () => null,
    delay_ms: 0,
    compare: () => 'ahead',
    pulls: [
      {
        number: 7,
        state: 'open',
        head: { sha: heads.current, ref: 'faster', repo: repository },
        base: { repo: repository, ref: 'main' },
      },
    ],
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const seen = { method: request.method ?? '', path: url.pathname, body: text ? JSON.parse(text) : null };
    state.seen.push(seen);
    await new Promise((resolve) => setTimeout(resolve, state.delay_ms));
    const login = logins[(request.headers.authorization ?? '').replace(/^(token|bearer) /i, '')];
    const answer = state.before(seen) ?? answerTo(state, seen, { url, login, host: request.headers.host ?? '' });
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers });
    response.end(answer.status === 204 ? undefined : JSON.stringify(answer.body ?? { message: 'Not Found' }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((/** @type {(value?: any) => void} */ resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  });
}

/**
 * @param {State} state
 * @param {GithubRequest} seen
 * @param {{ url: URL, login: string | undefined, host: string }} given
 * @returns {GithubAnswer}
 */
function answerTo(state, { method, path, body }, { url, login, host }) {
  if (!login) return { status: 401, body: { message: 'Bad credentials' } };
  if (`${method} ${path}` === 'GET /user') return login.endsWith('[bot]') ? refused : { status: 200, body: { login } };
  const [, rest] = /^\/repos\/acme\/shop(\/.*)$/.exec(path) ?? [];
  if (rest === undefined) return { status: 404 };
  const number = Number(/\d+$/.exec(rest)?.[0]);
  const route = rest.startsWith('/compare/')
    ? `${method} /compare`
    : `${method} ${rest.replace(/[0-9a-f]{40}/, 'SHA').replace(/\d+/, 'N')}`;
  const [comment, run] = [state.comments, state.checkRuns].map((all) => all.find(({ id }) => id === number));
  switch (route) {
    case 'GET /pulls/N':
      return found(state.pulls.find((pull) => pull.number === number));
    case 'GET /pulls':
      return paged(
        state.pulls.filter(
          ({ head, state: now }) =>
            now === 'open' && url.searchParams.get('head') === `${head.repo.owner.login}:${head.ref}`,
        ),
        url,
        host,
      );
    case 'GET /compare':
      return found(comparisonOf(state, rest));
    case 'GET /issues/N/comments':
      return paged(state.comments, url, host);
    case 'POST /issues/N/comments':
      return created(addComment(state, login, body.body));
    case 'PATCH /issues/comments/N': {
      if (!comment) return { status: 404 };
      return comment.user.login === login ? found(Object.assign(comment, body)) : refused;
    }
    case 'DELETE /issues/comments/N': {
      if (!comment) return { status: 404 };
      state.comments.splice(state.comments.indexOf(comment), 1);
      return { status: 204 };
    }
    case 'GET /commits/SHA/check-runs': {
      const runs = state.checkRuns.filter(({ name }) => name === url.searchParams.get('check_name'));
      const page = paged(runs, url, host);
      return { ...page, body: { total_count: runs.length, check_runs: page.body } };
    }
    case 'POST /check-runs': {
      if (!login.endsWith('[bot]'))
        return { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
      const id = 900 + state.checkRuns.length;
      state.checkRuns.push({ id, html_url: `https://github.example/runs/${id}`, annotations: [], ...body });
      return created(withAnnotations(state.checkRuns.at(-1), body));
    }
    case 'PATCH /check-runs/N':
      return found(run && withAnnotations(Object.assign(run, body), body));
    case 'POST /statuses/SHA':
      return created(state.statuses[state.statuses.push({ ...body }) - 1]);
    default:
      return { status: 404 };
  }
}

/** @param {State} state @param {string} path "/compare/a...b" */
function comparisonOf({ compare }, path) {
  const [from, to] = decodeURIComponent(path.slice('/compare/'.length)).split('...');
  return { status: compare(from, to), merge_base_commit: { sha: 'c'.repeat(40) } };
}

/** @param {any} body @returns {GithubAnswer} */
const found = (body) => (body ? { status: 200, body } : { status: 404 });

/** @param {any} body @returns {GithubAnswer} */
const created = (body) => (body ? { status: 201, body } : tooLong);

const tooLong = { status: 422, body: { message: 'Validation Failed: body is too long (maximum is 65536 characters)' } };

/**
 * @param {State} state
 * @param {string} login
 * @param {string} body
 * @returns {Comment | null}
 */
export function addComment(state, login, body) {
  if (body.length > 65_536) return null;
  const id = Math.max(100, ...state.comments.map((one) => one.id)) + 1;
  const comment = { id, body, user: { login }, html_url: `https://github.example/acme/shop/pull/7#issuecomment-${id}` };
  state.comments.push(comment);
  return comment;
}

/** Annotations are added up, fifty a request. @param {any} run @param {any} body */
function withAnnotations(run, { output }) {
  const more = output?.annotations ?? [];
  if (more.length > 50) return null;
  run.annotations.push(...more);
  return run;
}

/**
 * A page of a list, with the addresses of the others.
 * @param {any[]} all
 * @param {URL} url
 * @param {string} host
 * @returns {GithubAnswer}
 */
function paged(all, url, host) {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const to = (/** @type {number} */ other) => {
    const address = new URL(`http://${host}${url.pathname}${url.search}`);
    address.searchParams.set('page', String(other));
    return address.href;
  };
  const links = page < last ? { link: `<${to(page + 1)}>; rel="next", <${to(last)}>; rel="last"` } : {};
  const body = all.slice((page - 1) * size, page * size);
  return { status: 200, headers: /** @type {Record<string, string>} */ (links), body };
}
