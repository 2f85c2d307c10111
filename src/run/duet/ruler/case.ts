import type { Case } from '../../../suite/cases/expand.js';
import { type Difference, listed, switched } from './difference.js';
import { requestDifferences } from './ruler-requests.js';
import { thresholdDifferences } from './ruler-thresholds.js';

type Compare = (base: Case, head: Case) => Difference[];

/** Says nothing of what is measured or expected, or stands in another field's line. */
const nothing: Compare = () => [];

/** A value that may not be another: that as much is measured with it cannot be shown. */
const fixed =
  (subject: string, read: (benchCase: Case) => unknown): Compare =>
  (base, head) =>
    switched(subject, read(base), read(head), true);

/** A value that is looser the larger it is. */
const limit =
  (subject: string, read: (benchCase: Case) => number): Compare =>
  (base, head) =>
    larger(subject, read(base), read(head));

/** The same of what a script reads alone: requests of the spec are compared themselves. */
const ofScript =
  (subject: string, read: (benchCase: Case) => unknown): Compare =>
  (base, head) =>
    base.requests && head.requests ? [] : fixed(subject, read)(base, head);

/**
 * How each field of a case is compared. All of them are here: with a field that is not in this table nothing compiles, since
 * one that is forgotten would let a head measure less unseen.
 */
const fields: { [Field in keyof Case]-?: Compare } = {
  status: (base, head) =>
    switched('status', base.status ?? 'measured', head.status ?? 'measured', head.status !== null),
  k6: loadDifferences,
  duration_s: nothing, // with k6
  window: (base, head) => (isMeasured(base, head) ? windowDifference(base, head) : []),
  requests: (base, head) => (base.requests && head.requests ? requestDifferences(base.requests, head.requests) : []),
  script: ofScript('script', ({ script }) => script ?? 'requests'),
  env: ofScript('variables of the script', ({ env }) => shown(env)),
  exec: ofScript('function of the script', ({ exec }) => exec ?? 'default'),
  tags: ofScript('tags of the script', ({ tags }) => shown(tags)),
  parameters: ofScript('parameters of the script', ({ parameters }) => shown(parameters)),
  thresholds: (base, head) => thresholdDifferences(base.thresholds, head.thresholds),
  compare: compareDifferences,
  services: serviceDifferences,
  network: fixed('network', ({ network }) => shown(network)),
  external: (base, head) => added('external', base.external, head.external),
  hosts: (base, head) => added('host', base.hosts.map(String), head.hosts.map(String)),
  error_cap: limit('error_cap', ({ error_cap }) => error_cap),
  mix_tolerance: limit('mix_tolerance', ({ mix_tolerance }) => mix_tolerance),
  saturation: (base, head) => switched('saturation', base.saturation, head.saturation, head.saturation === 'expected'),
  checks: (base, head) => switched('checks', base.checks, head.checks, head.checks === 'ignore'),
  per_user: (base, head) => switched('users told apart', base.per_user, head.per_user, !head.per_user),
  order: fixed('order of requests', ({ order }) => order),
  cookies: fixed('cookies', ({ cookies }) => cookies),
  connections: fixed('connections', ({ connections }) => connections),
  user_agent: fixed('user agent', ({ user_agent }) => user_agent ?? 'benchfolio'), // a service may know its load by it
  url: fixed('url', ({ url }) => url),
  restart: fixed('restart', ({ restart }) => restart),
  instances: fixed('instances', ({ instances }) => instances),
  setup: fixed('setup', setupOf), // less data is less work
  reuse: nothing, // with setup
  after_ready: nothing, // with setup
  interleaved: (base, head) =>
    switched('duet', base.interleaved ?? 'concurrent', head.interleaved ?? 'concurrent', head.interleaved !== null),
  groups: (base, head) => listed('group', base.groups, head.groups),
  queries: (base, head) => listed('metric', base.queries.map(shown), head.queries.map(shown)),
  prometheus: (base, head) =>
    base.queries.length ? switched('prometheus', shown(base.prometheus), shown(head.prometheus), true) : [],
  faults: (base, head) => listed('fault', base.faults.map(shown), head.faults.map(shown)),
  rows: fixed('rows', ({ rows }) => shown(rows)),
  // Which case it is, and what pages say of it.
  system: nothing,
  environment: nothing,
  scenario: nothing,
  name: nothing,
  profile: nothing,
  values: nothing, // of a sweep: in the fields that use them
  spec_dir: nothing,
  title: nothing,
  description: nothing,
  reason: nothing,
  charts: nothing,
  own_metrics: nothing, // with thresholds and compare, which name them
  // How it is run, which a duet decides for both sides alike.
  smoke: nothing,
  confirm: nothing,
  load: nothing, // k6 says it
  generators: nothing,
  player: nothing,
  parts: nothing,
  side: nothing,
  lane: nothing,
  apart: nothing,
  turns: nothing,
  search: nothing,
};

/**
 * Lists how head's case differs from base's in what is measured and expected. The scenario is head's on both sides: what it
 * does not do any more is measured on neither.
 */
export const caseDifferences = (base: Case, head: Case): Difference[] =>
  Object.values(fields).flatMap((compare) => compare(base, head));

function shown(value: unknown) {
  return value === null || value === undefined ? 'none' : JSON.stringify(value);
}

const larger = (subject: string, base: number, head: number): Difference[] =>
  switched(subject, base, head, head > base);

/** Whether both sides measure the case. */
const isMeasured = (base: Case, head: Case) => base.status === null && head.status === null;

/** What makes data and the like before a start, and after it. */
function setupOf({ setup, services, reuse, after_ready }: Case) {
  return shown([
    setup,
    ...services.map((service) => service.setup),
    ...[reuse, after_ready].filter((list) => list.length > 0),
  ]);
}

function loadDifferences(base: Case, head: Case): Difference[] {
  if (!isMeasured(base, head) || JSON.stringify(base.k6) === JSON.stringify(head.k6)) return [];
  // Less load finds less. So does more: beyond what base carries, latencies count on neither side.
  const shapeOf = (options: Case['k6']) => JSON.stringify({ ...options, duration: null });
  const looser = shapeOf(base.k6) !== shapeOf(head.k6) || (head.duration_s ?? Infinity) < (base.duration_s ?? Infinity);
  return [{ subject: 'load', base: shown(base.k6), head: shown(head.k6), looser }];
}

function windowDifference({ window: base }: Case, { window: head }: Case): Difference[] {
  if (base.from_s === head.from_s && base.to_s === head.to_s) return [];
  const text = ({ from_s, to_s }: Case['window']) => `${from_s} s to ${to_s === null ? 'the end' : `${to_s} s`}`;
  const looser = head.from_s > base.from_s || (head.to_s ?? Infinity) < (base.to_s ?? Infinity);
  return [{ subject: 'window', base: text(base), head: text(head), looser }];
}

/** The rule of judging itself: a comparison uses base's, and says what head would change. */
function compareDifferences({ compare: base }: Case, { compare: head }: Case): Difference[] {
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

/** Does head let more pass? False: there is no limit. */
const looser = (base: number | false, head: number | false) => base !== false && (head === false || head > base);

function serviceDifferences(base: Case, head: Case): Difference[] {
  const sampled = ({ services }: Case) => services.filter((service) => service.sampled).map(({ name }) => name);
  const cores = ({ services }: Case) => shown(services.map(({ name, cpus }) => [name, cpus]));
  return [
    ...listed('sampled service', sampled(base), sampled(head)),
    // Sides that do not run alike differ by that, too.
    ...switched('cores of services', cores(base), cores(head), true),
    ...base.services.flatMap((service) => startDifference(service, head)),
  ];
}

/**
 * What is set for the benchmark alone makes nothing faster that is deployed: how a service is built, where and with what it
 * is started, which settings are written for it, what is asked of it before the load.
 * @param service of base
 */
function startDifference(service: Case['services'][number], head: Case): Difference[] {
  const other = head.services.find(({ name }) => name === service.name);
  if (other === undefined) return [];
  const [was, is] = [startOf(service), startOf(other)];
  const keys = Object.keys(was).filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  const picked = (start: Record<string, unknown>) => shown(Object.fromEntries(keys.map((key) => [key, start[key]])));
  return switched(`start of service ${service.name}`, picked(was), picked(is), true);
}

/** Its setup, cores and whether it is sampled are compared by themselves; how long it may take is not a figure. */
const startOf = ({
  name,
  setup,
  cpus,
  sampled,
  ready_timeout,
  stop_timeout,
  ...start
}: Case['services'][number]): Record<string, unknown> => start;

const added = (what: string, base: readonly string[], head: readonly string[]): Difference[] =>
  head
    .filter((address) => !base.includes(address))
    .map((address) => ({ subject: `${what} ${address}`, base: 'not there', head: 'there', looser: true }));
