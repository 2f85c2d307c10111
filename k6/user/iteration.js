import exec from 'k6/execution';
import http from 'k6/http';
import { ended, started } from './counters.js';
import { createPhases } from './phase.js';
import { callbackOf, compileRequest } from './requests.js';

/** @import { PlannedLoad } from '../plan/make-plan.js' */
/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { Send, User } from './requests.js' */

/**
 * A user; what its case does not use is not loaded.
 * @param {PlannedLoad} load
 * @returns {User}
 */
export const createUser = ({ faults, groups, per_user }) => ({
  values: { row: {}, captured: {}, drawn: [], ready: {} },
  tags: {},
  random: null,
  faults: faults.length > 0 ? lazily('./faults.js').createFaults(faults) : null,
  groups: groups.length > 0 ? lazily('./groups.js').createGroups() : null,
  receiving: per_user ? lazily('./receiving.js').createReceiving() : null,
});

/** Each module costs every user 10 kB. @param {string} module @returns {any} */
const lazily = (module) => require(module);

/**
 * Compiles what a user does, over and over: the list of requests in order, or one of them by weight.
 * @param {PlannedLoad} load
 * @returns {() => void}
 */
export function compileIteration(load) {
  const user = createUser(load);
  if (load.accepted !== null) http.setResponseCallback(callbackOf(load.accepted));
  const named = load.requests.length === 1 && !load.losesTags; // once, then
  const sends = load.requests.map((request) => compileRequest(request, load, user, { named }));
  const prepare = createPrepare(load, user, () => {
    if (named) user.tags.name = load.requests[0].name;
  });
  const once = load.requests.filter((request) => request.once);
  const repeated = load.requests.filter((request) => !request.once);
  const loggedIn = { yet: once.length === 0 };
  const together = (/** @type {Send[]} */ all) => {
    const each = all.slice(once.length);
    const run =
      load.order === 'weighted'
        ? byWeight(each, repeated)
        : inOrder(inGroups(meetingFaults(each, user), repeated, user));
    if (!once.length) return run;
    return afterOnce(inGroups(meetingFaults(all.slice(0, once.length), user), once, user), run, { user, loggedIn });
  };
  let run = together(sends);
  if (looksAtAnswers(load)) {
    const plain = run;
    const { compileLooking } = /** @type {typeof import('./answers.js')} */ (require('./answers.js'));
    const looking = compileLooking(load, user, { named }, sends);
    const look = together(looking.sends);
    run = () => {
      look();
      if (user.tags.phase === 'steady' && looking.done()) run = plain;
    };
  }
  let preparing = true;
  const takeTurn = load.turns === null ? null : lazily('./turns.js').compileTurns(load.turns);
  const iteration = () => {
    if (takeTurn !== null) takeTurn();
    if (preparing) preparing = prepare();
    run();
  };
  return load.duration_s === null
    ? () => {
        iteration();
        markEnd();
      }
    : iteration;
}

/** Whether this user is one of those who look at their first answers. @param {PlannedLoad} load */
export const looksAtAnswers = ({ answers }) => answers !== null && __VU <= answers.users;

/** A fault may come between two requests of an iteration. @param {Send[]} sends @param {User} user @returns {Send[]} */
function meetingFaults(sends, { faults }) {
  if (faults === null) return sends;
  return sends.map((send, i) =>
    i === 0
      ? send
      : () => {
          faults.meet();
          return send();
        },
  );
}

/**
 * Neighbours of the same group become one.
 * @param {Send[]} sends
 * @param {PlannedRequest[]} requests
 * @param {User} user
 * @returns {Send[]}
 */
function inGroups(sends, requests, { groups }) {
  if (groups === null) return sends;
  const named = requests.map(({ group }) => group);
  return sends.flatMap((send, i) => {
    const name = named[i];
    if (name === null) return [send];
    if (i > 0 && named[i - 1] === name) return []; // it is in the one before
    const after = named.findIndex((other, j) => j > i && other !== name);
    return [groups.together(name, sends.slice(i, after < 0 ? sends.length : after))];
  });
}

/**
 * A user sends its once-only requests before its first iteration of the rest; where it fails, that iteration ends, and the next one
 * tries it again.
 * @param {Send[]} sends
 * @param {() => unknown} run the rest
 * @param {{ user: User, loggedIn: { yet: boolean } }} given loggedIn: the user's, whichever way it sends its requests
 * @returns {() => unknown}
 */
function afterOnce(sends, run, { user: { faults }, loggedIn }) {
  return () => {
    if (!loggedIn.yet) {
      for (let i = 0; i < sends.length; i += 1) if (!sends[i]()) return;
      loggedIn.yet = true;
      if (faults !== null) faults.meet();
    }
    run();
  };
}

/** @param {Send[]} sends @returns {() => unknown} */
function inOrder(sends) {
  if (sends.length === 1) return sends[0];
  return () => {
    for (let i = 0; i < sends.length && sends[i](); i += 1);
  };
}

/** @param {Send[]} sends @param {PlannedRequest[]} requests @returns {() => unknown} */
function byWeight(sends, requests) {
  let total = 0;
  const bounds = requests.map(({ weight }) => (total += Number(weight)));
  return () => {
    const point = Math.random() * total;
    let i = 0;
    while (point >= bounds[i]) i += 1;
    sends[i]();
  };
}

/** Says when a scenario ends that ends by its iterations; to be called at the end of each. */
export const markEnd = () => ended.add(Date.now());

/**
 * What comes before each iteration: its phase and its row; before a user's first, also when the scenario started.
 * @param {PlannedLoad} load
 * @param {User} user
 * @param {() => void} [begun] called before the user's first iteration, when its tags can be set
 * @returns {() => boolean} false: there is nothing to prepare any more
 */
export function createPrepare(load, user, begun) {
  const openRow = load.rows.length
    ? /** @type {typeof import('./rows.js')} */ (require('./rows.js')).openRows(load)
    : null;
  let enterPhase = /** @type {() => boolean} */ (begin);
  let changes = true;
  /** @type {(() => Record<string, any>) | null} */
  let nextRow = null;

  function begin() {
    // before the first iteration k6 does not tell who and when it is
    const { startTime } = exec.scenario;
    user.tags = exec.vu.metrics.tags;
    started.add(startTime);
    enterPhase = createPhases(load.window, load.duration_s, startTime, user.tags);
    if (user.faults !== null) enterPhase = user.faults.begin(startTime, user.tags, enterPhase);
    nextRow = openRow?.() ?? null;
    if (begun !== undefined) begun();
    return enterPhase();
  }

  return () => {
    if (changes) changes = enterPhase() || load.losesTags;
    if (nextRow !== null) user.values.row = nextRow();
    if (user.random !== null) user.random.begin();
    return changes || nextRow !== null || user.random !== null;
  };
}
