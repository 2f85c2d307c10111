import { rateOf, usersOf } from '../../../spec/load.js';
import { listed, switched } from './difference.js';
import { requestDifferences } from './requests.js';
import { thresholdDifferences } from './thresholds.js';

/**
 * @import { Case } from '../../../spec/expand.js'
 * @import { Difference } from './difference.js'
 */

/**
 * Lists how head's case differs from base's in what is measured and expected.
 * @param {Case} base
 * @param {Case} head
 * @returns {Difference[]}
 */
export function caseDifferences(base, head) {
  return [
    ...statusDifference(base, head),
    ...loadDifferences(base, head),
    ...(base.requests && head.requests
      ? requestDifferences(base.requests, head.requests)
      : scriptDifference(base, head)),
    ...thresholdDifferences(base.thresholds, head.thresholds),
    ...compareDifferences(base.compare, head.compare),
    ...serviceDifferences(base, head),
    ...limits.flatMap(([subject, read]) => larger(subject, read(base), read(head))),
    ...switched('saturation', base.saturation, head.saturation, head.saturation === 'expected'),
    ...switched('users told apart', base.per_user, head.per_user, !head.per_user),
    ...switched('cookies', base.cookies, head.cookies, false),
    ...switched('connections', base.connections, head.connections, false),
    ...listed('group', base.groups, head.groups),
    ...listed('metric', base.queries.map(shown), head.queries.map(shown)),
    ...listed('fault', base.faults.map(shown), head.faults.map(shown)),
    ...switched('rows', shown(base.rows), shown(head.rows), false),
  ];
}

/** Larger is looser. @type {[string, (benchCase: Case) => number][]} */
const limits = [
  ['error_cap', (benchCase) => benchCase.error_cap],
  ['mix_tolerance', (benchCase) => benchCase.mix_tolerance],
];

/** @param {unknown} value */
const shown = (value) => (value === null || value === undefined ? 'none' : JSON.stringify(value));

/**
 * @param {string} subject
 * @param {number} base
 * @param {number} head
 * @returns {Difference[]}
 */
const larger = (subject, base, head) => switched(subject, base, head, head > base);

/** @param {Case} base @param {Case} head @returns {Difference[]} */
const statusDifference = (base, head) =>
  switched('status', base.status ?? 'measured', head.status ?? 'measured', head.status !== null);

/** What a script or a scenario of another kind sends cannot be seen in the spec. @param {Case} base @param {Case} head */
const scriptDifference = (base, head) => switched('script', base.script ?? 'requests', head.script ?? 'requests', true);

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function loadDifferences(base, head) {
  if (base.status !== null || head.status !== null) return [];
  if (JSON.stringify(base.k6) === JSON.stringify(head.k6)) return windowDifference(base, head);
  const [from, to] = [base.k6, head.k6];
  const less =
    from.executor !== to.executor ||
    usersOf(/** @type {any} */ (to)) < usersOf(/** @type {any} */ (from)) ||
    (rateOf(/** @type {any} */ (to)) ?? 0) < (rateOf(/** @type {any} */ (from)) ?? 0) ||
    (head.duration_s ?? Infinity) < (base.duration_s ?? Infinity) ||
    Number(to.iterations ?? 0) < Number(from.iterations ?? 0);
  return [{ subject: 'load', base: shown(from), head: shown(to), looser: less }, ...windowDifference(base, head)];
}

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function windowDifference({ window: base }, { window: head }) {
  if (base.from_s === head.from_s && base.to_s === head.to_s) return [];
  const seconds = (/** @type {Case['window']} */ { from_s, to_s }) => (to_s ?? Infinity) - from_s;
  const text = (/** @type {Case['window']} */ { from_s, to_s }) =>
    `${from_s} s to ${to_s === null ? 'the end' : `${to_s} s`}`;
  const looser = seconds(head) < seconds(base);
  return [{ subject: 'window', base: text(base), head: text(head), looser }];
}

/**
 * The rule of judging itself: a comparison uses base's, and says what head would change.
 * @param {Case['compare']} base
 * @param {Case['compare']} head
 * @returns {Difference[]}
 */
function compareDifferences(base, head) {
  const metrics = new Set([...Object.keys(base.tolerances), ...Object.keys(head.tolerances)]);
  return [
    ...listed('gate', base.gate, head.gate),
    ...larger('tolerance', base.tolerance, head.tolerance),
    ...[...metrics].flatMap((name) =>
      larger(`tolerance of ${name}`, base.tolerances[name] ?? base.tolerance, head.tolerances[name] ?? head.tolerance),
    ),
    ...switched('alpha', base.alpha, head.alpha, head.alpha < base.alpha), // a smaller budget finds less
  ];
}

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function serviceDifferences(base, head) {
  const sampled = (/** @type {Case} */ { services }) =>
    services.filter((service) => service.sampled).map(({ name }) => name);
  return listed('sampled service', sampled(base), sampled(head));
}
