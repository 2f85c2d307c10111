import { listed, switched } from './difference.js';
import { requestDifferences } from './requests.js';
import { thresholdDifferences } from './thresholds.js';

/** @import { Case } from '../../../cases/expand.js' */
/** @import { Difference } from './difference.js' */

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
    ...switched('checks', base.checks, head.checks, head.checks === 'ignore'),
    ...switched('users told apart', base.per_user, head.per_user, !head.per_user),
    // The scenario is head's on both sides: what it no longer does is measured on neither.
    ...switched('order of requests', base.order, head.order, true),
    ...switched('cookies', base.cookies, head.cookies, true),
    ...switched('connections', base.connections, head.connections, true),
    // A service may know its load by it.
    ...switched('user agent', base.user_agent ?? 'benchfolio', head.user_agent ?? 'benchfolio', true),
    ...switched('url', base.url, head.url, true),
    ...switched('restart', base.restart, head.restart, true),
    ...switched('instances', base.instances, head.instances, true),
    ...switched('setup', setupOf(base), setupOf(head), true), // less data is less work
    ...switched('duet', base.interleaved ?? 'concurrent', head.interleaved ?? 'concurrent', head.interleaved !== null),
    ...listed('group', base.groups, head.groups),
    ...listed('metric', base.queries.map(shown), head.queries.map(shown)),
    ...(base.queries.length ? switched('prometheus', shown(base.prometheus), shown(head.prometheus), true) : []),
    ...listed('fault', base.faults.map(shown), head.faults.map(shown)),
    ...switched('rows', shown(base.rows), shown(head.rows), true),
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
const scriptDifference = (base, head) => [
  ...switched('script', base.script ?? 'requests', head.script ?? 'requests', true),
  ...switched('variables of the script', shown(base.env), shown(head.env), true),
  ...switched('function of the script', base.exec ?? 'default', head.exec ?? 'default', true),
  ...switched('tags of the script', shown(base.tags), shown(head.tags), true),
  ...switched('parameters of the script', shown(base.parameters), shown(head.parameters), true),
];

/** What makes data and the like before a start, and after it. @param {Case} benchCase */
const setupOf = ({ setup, services, reuse, after_ready }) =>
  shown([
    setup,
    ...services.map((service) => service.setup),
    ...[reuse, after_ready].filter((list) => list.length > 0),
  ]);

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function loadDifferences(base, head) {
  if (base.status !== null || head.status !== null) return [];
  if (JSON.stringify(base.k6) === JSON.stringify(head.k6)) return windowDifference(base, head);
  // Less load finds less. So does more: beyond what base carries, latencies count on neither side.
  const shapeOf = (/** @type {Case['k6']} */ options) => JSON.stringify({ ...options, duration: null });
  const looser = shapeOf(base.k6) !== shapeOf(head.k6) || (head.duration_s ?? Infinity) < (base.duration_s ?? Infinity);
  return [{ subject: 'load', base: shown(base.k6), head: shown(head.k6), looser }, ...windowDifference(base, head)];
}

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function windowDifference({ window: base }, { window: head }) {
  if (base.from_s === head.from_s && base.to_s === head.to_s) return [];
  const text = (/** @type {Case['window']} */ { from_s, to_s }) =>
    `${from_s} s to ${to_s === null ? 'the end' : `${to_s} s`}`;
  const looser = head.from_s > base.from_s || (head.to_s ?? Infinity) < (base.to_s ?? Infinity);
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
    ...Object.keys({ ...base.guardrails, ...head.guardrails }).flatMap((name) =>
      switched(
        `guardrail ${name}`,
        base.guardrails[name],
        head.guardrails[name],
        looser(base.guardrails[name], head.guardrails[name]),
      ),
    ),
    ...switched('alpha', base.alpha, head.alpha, head.alpha < base.alpha), // a smaller budget finds less
  ];
}

/** Does head let more pass? False is none. @param {number | false} base @param {number | false} head */
const looser = (base, head) => base !== false && (head === false || head > base);

/** @param {Case} base @param {Case} head @returns {Difference[]} */
function serviceDifferences(base, head) {
  const sampled = (/** @type {Case} */ { services }) =>
    services.filter((service) => service.sampled).map(({ name }) => name);
  const cores = (/** @type {Case} */ { services }) => shown(services.map(({ name, cpus }) => [name, cpus]));
  return [
    ...listed('sampled service', sampled(base), sampled(head)),
    // Sides that do not run alike differ by that, too.
    ...switched('cores of services', cores(base), cores(head), true),
    ...base.services.flatMap((service) => startDifference(service, head)),
    ...switched('network', shown(base.network), shown(head.network), true),
    ...added('external', base.external, head.external),
    ...added('host', base.hosts.map(String), head.hosts.map(String)),
  ];
}

/**
 * What is set for the benchmark alone makes nothing faster that is deployed: how a service is built, where and with what it
 * is started, which settings are written for it, what is asked of it before the load.
 * @param {Case['services'][number]} service of base
 * @param {Case} head
 * @returns {Difference[]}
 */
function startDifference(service, head) {
  const other = head.services.find(({ name }) => name === service.name);
  if (other === undefined) return [];
  const [one, two] = [startOf(service), startOf(other)];
  const keys = Object.keys(one).filter((key) => JSON.stringify(one[key]) !== JSON.stringify(two[key]));
  const picked = (/** @type {Record<string, unknown>} */ start) =>
    shown(Object.fromEntries(keys.map((key) => [key, start[key]])));
  return switched(`start of service ${service.name}`, picked(one), picked(two), true);
}

/**
 * Its setup, cores and whether it is sampled are compared by themselves; how long it may take is not a figure.
 * @param {Case['services'][number]} service
 * @returns {Record<string, unknown>}
 */
const startOf = ({ name, setup, cpus, sampled, ready_timeout, stop_timeout, ...start }) => start;

/** @param {string} what @param {readonly string[]} base @param {readonly string[]} head @returns {Difference[]} */
const added = (what, base, head) =>
  head
    .filter((address) => !base.includes(address))
    .map((address) => ({ subject: `${what} ${address}`, base: 'not there', head: 'there', looser: true }));
