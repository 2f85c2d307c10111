// For a scenario's own k6 script (`script = "order.js"` in the spec): an ordinary script that takes from here what
// every measured load needs. It is the entry of k6, with the same -e as k6/main.js:
//
//   import { bench } from '../../.bench/benchfolio/k6/script.js'; // a link to our package, made by every run
//   export const { options, handleSummary } = bench;    // executor, thresholds, summary, of the spec
//
//   const order = bench.request({
//     post: '/orders', body: { json: { item: '${row.item}' } }, capture: { id: { json: 'id' } },
//   });
//   const read = bench.request({ get: '/orders/${captured.id}', name: 'read an order' });
//
//   export default bench.iteration(({ row }) => {       // phases, rows and exceptions are seen to
//     const { status } = order();
//     if (status === 201 && row.urgent === 'yes') read();
//   });
//
// What an iteration draws by Math.random, both sides of a duet draw alike.
//
// setup and teardown are k6's own, and what setup returns is the second argument of the function given to iteration. In a duet
// both run once for each side, with its address, and its iterations get what its setup returned.
// Requests made with k6/http itself work too: give each a `name` tag, and pass the response to bench.expect, or its
// errors are not told apart. In a duet every iteration runs twice, once for each side: bench.baseUrl is another then, so
// ask for it where it is used. The script's own pauses (k6's sleep) stay; parameters can make them short.
//
// Several requests are timed as one by bench.group('list view', () => { … }); the scenario's key `groups`
// declares the name.
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { handleSummary, load, options } from './plan.js';
import { abandoned, exceptions, failedExpectations, networkErrors, statusErrors, warnOnce } from './user/counters.js';
import { createPrepare, createUser, looksAtAnswers, markEnd } from './user/iteration.js';
import { seedMath } from './user/random.js';
import { compileRequest } from './user/requests.js';

/** @import { Response } from 'k6/http' */

/**
 * @typedef {typeof import('./plan/script-request.js')} ScriptRequests
 * @typedef {typeof import('./plan/thresholds.js')} Thresholds
 *
 * @typedef {object} ScriptContext of an iteration
 * @property {Record<string, any>} row the iteration's row of `rows`
 * @property {Record<string, any>} captured what requests of this iteration captured, and what the script puts there
 */

const user = createUser(load);

/** What stands for the response when there was none. */
const none = /** @type {Response} */ (
  /** @type {unknown} */ ({
    status: 0,
    url: '',
    error: 'no response',
    body: null,
    headers: {},
    cookies: {},
    timings: { receiving: 0 },
    json: () => undefined,
  })
);

/** Thrown to end an iteration early; not an exception that is counted. */
const endIteration = {};

/** Its module is loaded only where answers are sampled. @param {string} name */
function lookAt(name) {
  if (load.answers === null || !looksAtAnswers(load)) return null;
  const { createLook } = /** @type {typeof import('./user/answers.js')} */ (require('./user/answers.js'));
  return createLook(name, load.answers, user);
}

const prepare = createPrepare(load, user);
let requests = 0;

/** Its module is loaded before a load only. */
const smoke = load.smoke
  ? /** @type {typeof import('./user/smoke.js')} */ (require('./user/smoke.js')).createSmoke()
  : null;

/** Its module is loaded for a duet only: each costs every user 10 kB. */
const sides =
  load.headUrl === null
    ? null
    : /** @type {typeof import('./user/duet.js')} */ (require('./user/duet.js')).createSides(load);

// The entry of a duet (src/run/generator/duet-entry.ts) finds them there: it knows the script, and not by which path that
// imports us.
if (sides !== null) Object.assign(globalThis, { benchfolioSides: sides });

/** With both sides in one process, those of the first are drawn again. */
const beginDraws = sides === null ? seedMath(load.seed, () => exec.vu.idInTest) : () => {};

export const bench = {
  options,
  handleSummary,

  /** The address of the system, without a slash at its end; in a duet, of the side whose turn it is. @returns {string} */
  get baseUrl() {
    return sides === null ? load.baseUrl : sides.targets[sides.now()].baseUrl;
  },

  /** Parameters of the spec, swept values included, by name. */
  parameters: load.parameters,

  /**
   * Makes a function that sends a request, described as in the spec: the same keys, placeholders and counters. To be
   * called at the top of the script, not within an iteration.
   * @param {Record<string, any>} request
   * @returns {() => Response} ends the iteration if the request abandons it (on_error, or a missing capture)
   */
  request(request) {
    requests += 1;
    // read and checked once for all users, who make their requests in the same order
    const [planned] = new SharedArray(`request ${requests}`, () => {
      const { planScriptRequest } = /** @type {ScriptRequests} */ (require('./plan/script-request.js'));
      return [planScriptRequest(request, load)];
    });
    if (__VU === 0) {
      // k6 reads the options after this
      const { addRequest } = /** @type {Thresholds} */ (require('./plan/thresholds.js'));
      addRequest(options.thresholds, planned.name);
    }
    let last = none;
    const sends = (sides?.targets ?? [load]).map((target) => {
      const look = lookAt(planned.name);
      const see = (/** @type {Response | null} */ response, /** @type {boolean | null} */ redirected) => {
        last = response ?? none;
        if (look !== null) look.see(response, redirected);
        if (smoke !== null) smoke.see(response);
      };
      return compileRequest(
        planned,
        { ...load, baseUrl: target.baseUrl, hosts: target.hosts, ready: target.ready },
        user,
        { see },
      );
    });
    return () => {
      if (user.faults !== null) user.faults.meet();
      const goOn = sends[sides === null ? 0 : sides.now()]();
      delete user.tags.name; // the script's own requests that follow are not this one
      if (!goOn) throw endIteration;
      return last;
    };
  },

  /**
   * Counts what is wrong with the response of a request made with k6/http, or of anything else.
   * @param {Response} response
   * @param {boolean | { status?: number | number[] }} [expected] a condition, or statuses; 200 to 399 if not given
   * @param {string} [what] for the log, if it is not so
   * @returns {boolean} all is as expected
   */
  expect(response, expected = {}, what = 'an expectation') {
    const { status } = response;
    const statuses = typeof expected === 'boolean' || expected.status === undefined ? null : [expected.status].flat();
    const good = statuses === null ? status >= 200 && status < 400 : statuses.includes(status);
    if (good && expected !== false) return true;
    (status === 0 ? networkErrors : good ? failedExpectations : statusErrors).add(1);
    if (smoke !== null) smoke.see(response);
    warnOnce(what, good ? 'not so' : `status ${status}`);
    if (user.faults !== null) user.faults.failed();
    return false;
  },

  /**
   * Times what it is given as one: from its beginning to its end, less the pauses (`think`) of its requests. Nothing is
   * timed when it throws, or ends the iteration.
   * @template Result
   * @param {string} name one of the scenario's `groups`
   * @param {() => Result} work may be async
   * @returns {Result} what `work` returns
   */
  group(name, work) {
    if (user.groups === null || !load.groups.includes(name)) {
      const known = load.groups.length ? `; it has ${load.groups.join(', ')}` : '';
      return /** @type {never} */ (
        exec.test.abort(
          `benchfolio: bench.group: scenario ${load.scenario} declares no group "${name}"${known}. ` +
            `Add it to the scenario: groups = [${JSON.stringify(name)}]`,
        )
      );
    }
    return user.groups.time(name, work);
  },

  /** Ends the iteration, and counts it as not finished. @returns {never} */
  abandon() {
    abandoned.add(1);
    throw endIteration;
  },

  /**
   * Makes the script's default function.
   * @template Setup
   * @param {(context: ScriptContext, setup: Setup) => unknown} run one iteration; may be async
   * @returns {(setup: Setup) => unknown}
   */
  iteration: (run) => {
    const once = (/** @type {Setup} */ setup) => {
      user.values.captured = {};
      if (user.random !== null) user.random.again();
      try {
        const result = run(user.values, setup);
        if (result instanceof Promise) return result.then(done, failed);
      } catch (error) {
        failed(error);
        return undefined;
      }
      return done();
    };
    const iteration = (/** @type {Setup} */ setup) => {
      beginDraws();
      prepare();
      return sides === null ? once(setup) : sides.both((side) => once(/** @type {any} */ (setup)?.[sides.names[side]]));
    };
    return smoke === null ? iteration : (setup) => smoke.tries(() => iteration(setup))();
  },
};

function done() {
  if (load.duration_s === null) markEnd();
}

/** @param {any} error */
function failed(error) {
  if (error !== endIteration) {
    exceptions.add(1);
    warnOnce('an iteration threw', String(error?.stack || error));
  }
  done();
}
