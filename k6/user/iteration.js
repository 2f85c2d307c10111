import exec from 'k6/execution';
import http from 'k6/http';
import { ended, started } from './counters.js';
import { createPhases } from './phase.js';
import { callbackOf, compileRequest } from './requests.js';

/**
 * @import { Load } from '../plan/index.js'
 * @import { Send, User } from './requests.js'
 */

/**
 * Compiles what a user does, over and over: the list of requests in order, or one of them by weight.
 * @param {Load} load
 * @returns {() => void}
 */
export function compileIteration(load) {
  /** @type {User} */
  const user = { values: { row: {}, captured: {} }, tags: {} };
  if (load.accepted !== null) http.setResponseCallback(callbackOf(load.accepted));
  const named = load.requests.length === 1 && !load.losesTags; // once, then
  const sends = load.requests.map((request) => compileRequest(request, load, user, { named }));
  const prepare = createPrepare(load, user, () => {
    if (named) user.tags.name = load.requests[0].name;
  });
  const run = load.order === 'weighted' ? byWeight(sends, load) : inOrder(sends);
  let preparing = true;
  const iteration = () => {
    if (preparing) preparing = prepare();
    run();
  };
  return load.duration_s === null ? () => { iteration(); markEnd(); } : iteration;
}

/** @param {Send[]} sends @returns {() => unknown} */
function inOrder(sends) {
  if (sends.length === 1) return sends[0];
  return () => {
    for (let i = 0; i < sends.length && sends[i](); i += 1);
  };
}

/** @param {Send[]} sends @param {Load} load @returns {() => unknown} */
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
 * @param {Load} load
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

  function begin() { // before the first iteration k6 does not tell who and when it is
    const { startTime } = exec.scenario;
    user.tags = exec.vu.metrics.tags;
    started.add(startTime);
    enterPhase = createPhases(load.window, load.duration_s, startTime, user.tags);
    nextRow = openRow && openRow();
    if (begun !== undefined) begun();
    return enterPhase();
  }

  return () => {
    if (changes) changes = enterPhase() || load.losesTags;
    if (nextRow !== null) user.values.row = nextRow();
    return changes || nextRow !== null;
  };
}
