import exec from 'k6/execution';
import http from 'k6/http';
import { abandoned, exceptions, failedExpectations, networkErrors, statusErrors, warnOnce } from './counters.js';

/** @import { Params, Response } from 'k6/http' */
/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { IterationValues, Text } from '../shared/placeholders.js' */
/** @import { FaultPhases } from './faults.js' */
/** @import { Groups } from './groups.js' */
/** @import { Random } from './random.js' */

/**
 * @typedef {ReturnType<typeof http.url>} HttpURL
 *
 * @typedef {typeof import('k6/execution').vu.metrics.tags} RequestTags
 * @typedef {object} User what the requests of a user share
 * @property {IterationValues} values
 * @property {RequestTags} tags k6's, of all the user's samples; known when the first iteration begins
 * @property {FaultPhases | null} faults
 * @property {Random | null} random values of requests; null: none asked for any so far
 * @property {Groups | null} groups
 * @property {((response: Response | null) => void) | null} receiving is given each response
 * @property {Map<string, { client: InstanceType<typeof import('k6/net/grpc').default.Client>, open: boolean }>} [connections]
 *   of gRPC
 *
 * @typedef {(response: Response | null, redirected: boolean | null) => void} See is given the last response to a request;
 *   redirected null: to a host that is not allowed
 *
 * @typedef {object} RequestTarget
 * @property {string} baseUrl
 * @property {readonly string[]} hosts origins besides that of baseUrl where requests may go
 * @property {Readonly<Record<string, any>>} ready what steps between ready and load captured, by name
 * @property {number[] | null} accepted statuses that k6 takes for good unless a request says otherwise; null: its own
 * @property {readonly [number, number]} seed of random values
 *
 * @typedef {typeof import('./redirects.js')} Redirects
 *
 * @typedef {{ address: HttpURL | null, perform: () => Response, follow: (first: Response) => Response | string }} Sending
 *   address: of a bare GET, which needs no more; follow: a redirect, see redirects.js
 *
 * @typedef {() => boolean} Send sends one request, and never throws; false: the iteration ends here
 */

/**
 * Compiles a request to a function. All that can be known is made here, once a user, and what the request does not need
 * is not even loaded. What is left for each time is little, and written for k6's interpreter, in which a call of a
 * function or a look-up of a global takes half a percent of a request.
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {User} user
 * @param {{ named?: boolean, see?: See }} [options] named: the user has the request's name as a tag already; see: is given each
 *   response
 * @returns {Send}
 */
export function compileRequest(request, target, user, { named = false, see: seeIn } = {}) {
  const { name } = request;
  user.values.ready = target.ready; // of this target, for the texts that are compiled here
  const see = seeingOf(seeIn, user.receiving);
  const { address, perform, follow } = drawing(request, target, user, sendingOf(request, target, user));
  const { get } = http;
  const { low, high, others } = statusesOf(request.statuses);
  const { proceed, goOn } = afterwards(request, user);
  const follows = request.redirects > 0;

  // The name is a tag of the user, where it costs almost nothing: among a request's own tags it takes 8 % of k6's CPU
  // time. Errors are caught, since the `throw` option is on: without it, k6 would log every request that fails.
  const bare = named && address !== null && proceed === null && others.length === 0 && see === undefined;
  if (bare) {
    const top = follows ? Math.min(high, 299) : high; // above it, it may be a redirect
    return () => {
      // one GET and no look at more than its status: 2 % less CPU time than by the general way below
      try {
        const response = get(address);
        const status = response.status;
        return (status >= low && status <= top) || judge(response);
      } catch (error) {
        return failed(error);
      }
    };
  }
  return () => {
    if (!named) user.tags.name = name;
    try {
      return judge(address !== null ? get(address) : perform());
    } catch (error) {
      return failed(error);
    }
  };

  /** @param {Response} first */
  function judge(first) {
    const end = follows && first.status >= 300 && first.status < 400 ? follow(first) : first;
    const response = typeof end === 'string' ? first : end;
    const status = response.status;
    if (see !== undefined) see(response, response === end ? response !== first : null);
    if (typeof end === 'string') return elsewhere(end);
    if ((status < low || status > high) && !others.includes(status)) return unexpected(response);
    return proceed === null || proceed(response);
  }

  /** Was answered, and not by what is measured. @param {string} problem */
  function elsewhere(problem) {
    failedExpectations.add(1);
    warnOnce(name, problem);
    if (user.faults !== null) user.faults.failed();
    return goOn();
  }

  /** @param {Response} response */
  function unexpected({ status, status_text }) {
    const isCall = request.method === 'GRPC';
    const none = status === 0 && !isCall; // a script has no `throw`; of gRPC 0 is OK
    (none ? networkErrors : statusErrors).add(1);
    warnOnce(name, none ? 'no response' : `status ${isCall ? status_text : status}`);
    if (user.faults !== null) user.faults.failed();
    return goOn();
  }

  /** @param {any} error k6's (GoError), of a request without a response; or our own or the spec's: a pattern, say */
  function failed(error) {
    if (error?.name !== 'GoError' && error?.name !== 'UnsentError' && error instanceof Error) {
      exceptions.add(1);
      warnOnce('an iteration threw', String(error.stack));
      return false;
    }
    if (see !== undefined) see(null, false);
    networkErrors.add(1);
    warnOnce(name, reasonOf(error));
    if (user.faults !== null) user.faults.failed();
    return goOn();
  }
}

/**
 * @param {See | undefined} first
 * @param {User['receiving']} second
 * @returns {See | undefined}
 */
function seeingOf(first, second) {
  if (first === undefined || second === null) return first ?? second ?? undefined;
  return (response, redirected) => {
    first(response, redirected);
    second(response);
  };
}

/**
 * What follows a response: comparisons, captures, the pause.
 * @param {PlannedRequest} request
 * @param {User} user
 * @returns {{ proceed: ((response: Response) => boolean) | null, goOn: Send }} proceed: after a good status, null if
 *   nothing is to do; goOn: after an error
 */
function afterwards({ name, on_error, expect: expected, capture: captured, think: pause }, { values, faults, groups }) {
  const expect = expected && load('./expect.js').compileExpectations(expected, values);
  const capture = captured && load('./capture.js').compileCaptures(captured, values);
  const sleep = pause && load('./think.js').compileThink(pause);
  const think = sleep && groups !== null ? groups.pausing(sleep) : sleep;

  function goOn() {
    if (on_error === 'abandon' || capture !== null) return abandon(); // what was not captured, later requests need
    if (think !== null) think();
    return true;
  }

  /** @param {Response} response */
  function proceed(response) {
    const problem = expect === null ? null : expect(response);
    const missing = capture === null ? null : capture(response);
    if (problem !== null || missing !== null) {
      failedExpectations.add(1);
      warnOnce(name, problem ?? `there is no ${missing} to capture`);
      if (faults !== null) faults.failed();
      if (missing !== null || on_error === 'abandon') return abandon();
    }
    if (think !== null) think();
    return true;
  }

  return { proceed: expect || capture || think ? proceed : null, goOn };
}

function abandon() {
  abandoned.add(1);
  return false;
}

/**
 * What k6 takes for good: its response callback, for all requests that set none.
 * @param {number[] | null} accepted null: 200 to 399
 */
export const callbackOf = (accepted) => http.expectedStatuses(...(accepted ?? [{ min: 200, max: 399 }]));

/** @param {number[] | null} statuses @returns {{ low: number, high: number, others: number[] }} */
function statusesOf(statuses) {
  if (statuses === null) return { low: 200, high: 399, others: [] };
  const [first, ...others] = statuses;
  return { low: first, high: first, others };
}

/**
 * The sending itself, with as few arguments as will do: k6 converts each by reflection, and looks into params anew.
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {User} user
 * @returns {Sending}
 */
function sendingOf(request, target, user) {
  const { method } = request;
  if (method === 'GRPC') return load('./call.js').compileCall(request, target, user);
  if (method === 'WEBSOCKET') return load('./session.js').compileSession(request, target, user);
  const { values } = user;
  const url = urlOf(request.url, target, values);
  const address = typeof url === 'string' ? parsed(url) : null; // once: 3 % of a request
  const body = request.body && load('./body.js').compileBody(request.body, values);
  const { params, fillHeaders } = paramsOf(request, target, values);
  const redirects = request.redirects > 0 ? load('./redirects.js') : null;
  const call = body === null ? callWithout(method) : callWith(method);
  /** @type {string | ArrayBuffer | null} */
  let sent = null; // the body, for a redirect that asks for it again
  return {
    address: method === 'GET' && body === null && params === undefined ? address : null,
    perform: () => {
      if (fillHeaders !== null) fillHeaders();
      const to = address ?? /** @type {() => string} */ (url)();
      sent = typeof body === 'function' ? body() : body;
      return call(to, params, sent);
    },
    follow: (first) =>
      /** @type {Redirects} */ (redirects).followRedirects(
        first,
        { method, body: sent, params },
        request.redirects,
        target,
        http.request,
      ),
  };
}

/**
 * The same, with random values drawn anew each time that the request is sent: once, whatever redirects follow.
 * @template {{ perform: () => Response }} Sending
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {User} user
 * @param {Sending} sending
 * @returns {Sending}
 */
function drawing({ draws }, { seed }, user, sending) {
  if (draws === null) return sending;
  const random = user.random ?? /** @type {Random} */ (load('./random.js').createRandom(seed, userInTest));
  user.random = random;
  return {
    ...sending,
    perform() {
      user.values.drawn = random.all(draws);
      return sending.perform();
    },
  };
}

const userInTest = () => exec.vu.idInTest;

/** k6's own template tag, called with a text that has nothing to fill in. @param {string} url */
const parsed = (url) => http.url(/** @type {TemplateStringsArray} */ (/** @type {unknown} */ ([url])));

/** @typedef {(url: string | HttpURL, params: Params | undefined, body: string | ArrayBuffer | null) => Response} Call */

/** @param {string} method @returns {Call} */
function callWithout(method) {
  if (method === 'GET') return (url, params) => http.get(url, params);
  return (url, params) => http.request(method, url, null, params);
}

/** @param {string} method @returns {Call} */
function callWith(method) {
  if (method === 'POST') return (url, params, body) => http.post(url, body, params);
  return (url, params, body) => http.request(method, url, body, params);
}

/** @param {string} url @param {RequestTarget} target @param {IterationValues} values @returns {Text} */
function urlOf(url, target, values) {
  if (url.startsWith('/') && !url.includes('${')) return target.baseUrl + url;
  return load('./url.js').compileUrl(url, target, values);
}

/**
 * k6's params of a request; undefined if there is nothing to say, for k6 reads them each time.
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {IterationValues} values
 * @returns {{ params: Params | undefined, fillHeaders: (() => void) | null }}
 */
function paramsOf({ headers, params, accepted }, target, values) {
  const callback = String(accepted) === String(target.accepted) ? {} : { responseCallback: callbackOf(accepted) };
  const names = Object.keys(headers);
  const texts = names.map((name) => load('../shared/placeholders.js').compileTemplate(headers[name], values));
  /** @type {Record<string, string>} */
  const filled = {};
  names.forEach((name, i) => {
    filled[name] = typeof texts[i] === 'string' ? texts[i] : '';
  });
  const changing = names.flatMap((name, i) => (typeof texts[i] === 'string' ? [] : [{ name, text: texts[i] }]));
  const all = { ...params, ...callback, ...(names.length && { headers: filled }) };
  const fill = () =>
    changing.forEach(({ name, text }) => {
      filled[name] = text();
    });
  return { params: Object.keys(all).length ? all : undefined, fillHeaders: changing.length ? fill : null };
}

/** k6's reason, without the address: that may hold a secret. @param {unknown} error */
const reasonOf = (error) => String(/** @type {any} */ (error)?.message ?? error).replace(/^(\w+ )?"[^"]*": /, '');

/** Each module costs every user 10 kB. @param {string} module @returns {any} */
const load = (module) => require(module);
