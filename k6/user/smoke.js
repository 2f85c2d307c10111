import { shortened } from '../shared/shortened.js';
import { hearFailures } from './counters.js';
import { createPrepare, createUser } from './iteration.js';
import { compileRequest } from './requests.js';

/** @import { Response } from 'k6/http' */
/** @import { PlannedLoad } from '../plan/make-plan.js' */

/**
 * @typedef {{ what: string, problem: string, request: Sent | null, response: Received | null }} SmokeFailure what: the name of
 *   the request; request, response: of the first only; null: nothing was answered
 * @typedef {{ method: string, url: string, headers: Record<string, string>, body: string }} Sent
 * @typedef {{ status: number, headers: Record<string, string>, body: string }} Received
 */

/** Letters of a body that are handed on: far more than is shown, since what is secret goes from it before it is cut. */
const most = 8_000;

/**
 * Compiles the smoke of a case with declared requests: each of them once, in their order, whatever their weights.
 * @param {PlannedLoad} load
 * @returns {() => void}
 */
export function compileSmoke(load) {
  const smoke = createSmoke();
  const user = createUser(load);
  const sends = load.requests.map((request) => compileRequest(request, load, user, { see: smoke.see }));
  const prepare = createPrepare(load, user);
  return smoke.tries(() => {
    prepare();
    for (const send of sends) if (!send() && load.order === 'sequence') return;
  });
}

/**
 * What an iteration before the load shows: the last of some tries, and no more of them when one is good.
 * @returns {{ see: (response: Response | null) => void, tries: (run: () => unknown) => () => unknown }} see: is given each
 *   response; tries: makes k6's default function, `run` may be async
 */
export function createSmoke() {
  /** @type {Response | null} */
  let last = null;
  /** @type {SmokeFailure[]} */
  let failures = [];
  let passed = false;
  hearFailures((what, problem) => {
    if (failures.length === 0) failures.push({ what, problem, request: sent(last), response: received(last) });
    else if (failures.length < 20) failures.push({ what, problem, request: null, response: null });
    last = null;
  });
  const done = () => {
    passed = failures.length === 0;
    // src/run/generator/smoke.ts reads it; in ASCII, for k6's log has escapes of its own
    console.warn(`benchfolio smoke: ${JSON.stringify(failures).replace(/[^ -~]/g, escaped)}`);
  };
  return {
    see(response) {
      last = response;
    },
    tries: (run) => () => {
      if (passed) return undefined;
      failures = [];
      last = null;
      const result = run();
      return result instanceof Promise ? result.then(done) : done();
    },
  };
}

/** @param {string} character one UTF-16 unit */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** @param {Response | null} response @returns {Sent | null} */
function sent(response) {
  if (!response?.request) return null;
  const { method, url, headers, body } = response.request;
  return { method, url, headers: firsts(headers), body: text(body) };
}

/** @param {Response | null} response @returns {Received | null} */
const received = (response) =>
  response && { status: response.status, headers: response.headers, body: text(response.body) };

/** @param {Record<string, any>} headers each a list @returns {Record<string, string>} */
const firsts = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** @param {unknown} body */
const text = (body) =>
  typeof body === 'string' ? shortened(body, most) : body === null || body === undefined ? '' : '(not text)';
