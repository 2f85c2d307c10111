import { parseDuration } from '../../dist/suite/cases/durations.js';
import { protocolOf } from '../../dist/suite/cases/protocols.js';
import { planBody } from './body.js';
import { headerName, planHeaders } from './headers.js';
import { planDraws } from './random.js';
import { planUrl } from './url.js';

/** @import { Draw } from '../../dist/suite/cases/random.js' */
/** @import { Request } from '../../dist/suite/cases/requests.js' */
/** @import { PlannedBody } from './body.js' */

/**
 * @typedef {object} PlannedRequest what is left for a user to compile; texts may hold placeholders for rows, captured
 *   values, the environment and, by its number, what is drawn
 * @property {string} name
 * @property {string} method
 * @property {string} url absolute, or a path to put behind the base URL
 * @property {number | null} weight
 * @property {string | null} group
 * @property {Record<string, string>} headers
 * @property {PlannedBody | null} body
 * @property {number} redirects how many are followed
 * @property {{ timeout?: string, redirects?: 0, responseType?: 'text' | 'none' | 'binary' }} params where they differ from k6's
 *   options
 * @property {number[] | null} statuses expected; null: 200 to 399
 * @property {number[] | null} accepted statuses that k6 takes for good: also those of redirects on the way
 * @property {Expectations | null} expect
 * @property {'continue' | 'abandon'} on_error
 * @property {Record<string, { json?: string, regex?: string, header?: string, cookie?: string }> | null} capture
 * @property {{ mean: number, deviation: number, distribution: 'uniform' | 'normal' } | null} think seconds
 * @property {Draw[] | null} draws random values, drawn before each time that it is sent
 * @property {boolean} once in a user's first iteration, before the others
 * @property {string[]} protos of a call of gRPC; [] else
 * @property {string} folder where they are, absolute
 * @property {string[]} messages of a session of WebSockets; [] else
 * @property {number} answers awaited for each of them
 * @property {number} timeout_ms
 *
 * @typedef {object} Expectations of a response with an expected status
 * @property {Record<string, string | { matches: string }>} headers
 * @property {string | { matches: string } | null} body
 * @property {Record<string, unknown>} json
 */

/**
 * k6 asks its response callback about each answer, those that it follows included; the last one's status is compared by
 * us (user/requests.js).
 */
const redirectStatuses = [301, 302, 303, 307, 308];

/**
 * @param {Request[]} requests
 * @param {string} folder the spec's
 * @param {boolean} [shows] every body is kept to be shown, and no pause is made
 * @returns {{ requests: PlannedRequest[], accepted: number[] | null, discards: boolean }} accepted by most of them;
 *   discards: most do not read the body. What most do becomes k6's default: what a request says of its own, it says to
 *   k6 each time.
 */
export function planRequests(requests, folder, shows = false) {
  const discards = !shows && (mostFrequent(requests.map((request) => !readsBody(request))) ?? true);
  const planned = requests
    .map((request) => planRequest(request, folder, { discards: shows ? null : discards }))
    .map((request) => (shows ? { ...request, think: null } : request));
  return { requests: planned, discards, accepted: mostFrequent(planned.map(({ accepted }) => accepted)) ?? null };
}

/**
 * @param {Request} request
 * @param {string} folder the spec's
 * @param {{ discards: boolean | null, inScript?: boolean }} options discards: k6's default; null: the body stays,
 *   whoever reads it; inScript: k6's options are those for a script's own requests
 * @returns {PlannedRequest}
 */
export function planRequest(request, folder, { discards, inScript = false }) {
  const { name, method, weight, group, on_error, expect, redirects, timeout } = request;
  const { body: written, type } = planBody(request.body, folder);
  const reads = readsBody(request);
  const isHttp = protocolOf(method) === 'http';
  const { texts, draws } = planDraws({
    url: planUrl(request.path, request.query),
    headers: planHeaders(request.headers, isHttp ? type : null),
    body: written,
    messages: /** @type {Record<string, string>} */ ({ ...request.send }),
  });
  const { url, headers, body } = texts;
  return {
    name,
    method,
    weight,
    group,
    on_error,
    redirects,
    body,
    url,
    headers,
    params: {
      ...(timeout !== '60s' && { timeout }),
      ...(inScript && { redirects: 0 }), // k6's own client must follow none: user/redirects.js does
      ...(discards === reads && { responseType: /** @type {'text' | 'none'} */ (reads ? 'text' : 'none') }),
    },
    statuses: expect.status,
    accepted: expect.status && [...expect.status, ...(redirects > 0 ? redirectStatuses : [])],
    expect: planExpectations(expect),
    capture: Object.keys(request.capture).length ? planCapture(request.capture) : null,
    think: planThink(request.think),
    draws,
    once: request.once_per_user === true,
    protos: request.proto ?? [],
    folder: folder.startsWith('/') || !__ENV.PWD ? folder : `${__ENV.PWD}/${folder}`,
    messages: Object.values(texts.messages),
    answers: request.receive ?? 1,
    timeout_ms: 1000 * parseDuration(timeout),
  };
}

/** @param {Request} request */
const readsBody = ({ expect, capture }) =>
  expect.body !== null ||
  Object.keys(expect.json).length > 0 ||
  Object.values(capture).some(({ json, regex }) => json !== undefined || regex !== undefined);

/** @param {Request['expect']} expect @returns {Expectations | null} */
function planExpectations({ headers, body, json }) {
  if (body === null && !Object.keys(json).length && !Object.keys(headers).length) return null;
  const named = Object.entries(headers).map(([name, value]) => [headerName(name), value]);
  return { headers: Object.fromEntries(named), body, json };
}

/** @param {Request['capture']} capture */
const planCapture = (capture) =>
  Object.fromEntries(
    Object.entries(capture).map(([name, { header, ...other }]) => [
      name,
      header === undefined ? other : { header: headerName(header) },
    ]),
  );

/** @param {Request['think']} think @returns {PlannedRequest['think']} */
function planThink(think) {
  if (think === null) return null;
  const { mean, deviation, distribution } =
    typeof think === 'object'
      ? think
      : { mean: think, deviation: '0s', distribution: /** @type {const} */ ('uniform') };
  return { mean: parseDuration(mean), deviation: parseDuration(deviation), distribution };
}

/**
 * @template T
 * @param {T[]} values
 * @returns {T | undefined} the one that occurs most often
 */
function mostFrequent(values) {
  const texts = values.map((value) => JSON.stringify(value));
  const count = (/** @type {string} */ text) => texts.filter((other) => other === text).length;
  const [most] = [...texts].sort((a, b) => count(b) - count(a));
  return most === undefined ? undefined : JSON.parse(most);
}
