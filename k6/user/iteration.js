import exec from 'k6/execution';
import http from 'k6/http';
import { ended, started } from './counters.js';
import { createPhases } from './phase.js';
import { callbackOf, compileRequest } from './requests.js';

/**
 * @import { PlannedLoad } from '../plan/index.js'
 * @import { PlannedRequest } from '../plan/requests.js'
 * @import { Send, User } from './requests.js'
 */

/**
 * A user; what its case does not use is not loaded.
 * @param {PlannedLoad} load
 * @returns {User}
 */
export const createUser = ({ faults, groups, per_user }) => ({
  values: { row: {}, captured: {} },
  tags: {},
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
  const run =
    load.order === 'weighted' ? byWeight(sends, load) : inOrder(inGroups(meetingFaults(sends, user), load, user));
  let preparing = true;
  const iteration = () => {
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
 * @param {{ requests: PlannedRequest[] }} load
 * @param {User} user
 * @returns {Send[]}
 */
function inGroups(sends, { requests }, { groups }) {
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

/** @param {Send[]} sends @returns {() => unknown} */
function inOrder(sends) {
  if (sends.length === 1) return sends[0];
  return () => {
    for (let i = 0; i < sends.length && sends[i](); i += 1);
  };
}

/** @param {Send[]} sends @param {PlannedLoad} load @returns {() => unknown} */
function byWeight(sends, { requests }) {
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
  const openRow = load.rows && /** @type {typeof import('./rows.js')} */ (require('./rows.js')).openRows(load);
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
    return changes || nextRow !== null;
  };
}
