import { noPort, portNames } from './environment.js';
import { durationOf, loadOf, noLoad } from './executors.js';
import { checkFlow, leftForDriver } from './flow.js';
import { readGroups } from './groups.js';
import { refuseHosts } from './hosts.js';
import { k6Options } from './k6-options.js';
import { fillPlaceholders, hasPlaceholders, placeholdersOf } from './placeholders.js';
import { readFaults } from './plan-faults.js';
import { orderOf, readRequests, refuseVerbs } from './requests.js';
import { readRows } from './rows.js';
import { leftForRunner } from './runner-scope.js';
import { limits } from './tables.js';
import { refuseTargets } from './targets.js';
import { readThresholds } from './thresholds.js';
import { refusePerUser } from './users.js';
import { readWindow } from './window.js';

/** @import { Service } from './environment.js' */
/** @import { Path, Report } from './error.js' */
/** @import { Request } from './requests.js' */
/** @import { OwnScenario } from './script-options.js' */
/** @import { CaseThreshold } from './thresholds.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {ReturnType<ReturnType<typeof scenarioReader>>} Scenario
 */

/**
 * Prepares a scenario for reading it with many values: what uses none of them is read once.
 * @param {TomlTable} written
 * @param {{ name: string, environment: string, services: Service[], target: { baseUrl: string, hosts: string[] },
 *   ready: string[], queries: string[], own: (scope: Record<string, unknown>, env: TomlTable) => OwnScenario | null, path: Path, report: Report }} context
 *   services: those of the environment; target: where its requests may go; ready: what steps after its start capture; queries: the
 *   names of the scenario's metrics from Prometheus; own: what its script brings, where the load is the script's
 */
export function scenarioReader(written, { name, environment, services, target, ready, queries, own, path, report }) {
  const { requests: listed, sweep, metrics, groups: _, env, ...rest } = written;
  const entries = Object.entries(rest);
  const fixed = Object.fromEntries(entries.filter(([, value]) => !hasPlaceholders(value)));
  const open = Object.fromEntries(entries.filter(([, value]) => hasPlaceholders(value)));
  const sent = /** @type {TomlTable[] | undefined} */ (listed?.map(unnamed));
  const [sentAt, limitsAt] = [
    [...path, 'requests'],
    [...path, 'thresholds'],
  ];
  const once = remember();
  checkIteration(written, sent, ready, path, report);
  const groups = readGroups(written, listed, path, report);

  /**
   * The scenario with its defaults, and these values put in.
   * @param {Record<string, unknown>} scope
   */
  return (scope) => {
    const filled = { ...fixed, ...fillPlaceholders(open, scope, { path, report }) };
    const variables = fillPlaceholders(env ?? nothing, scope, { leave: leftForScript, path: [...path, 'env'], report });
    const brought = own(scope, variables);
    const options = { ...brought?.load, ...filled };
    const given = sent && fillPlaceholders(sent, scope, { leave: leftForDriver, path: sentAt, report });
    const requests = given
      ? once(given, () => refuseHosts(readRequests(given, listed, sentAt, report), target, sentAt, report))
      : null;
    const k6 = brought === null && ownsLoad(written) ? null : k6Of(options, path, inScript(report, written, brought));
    const script = /** @type {string | null} */ (filled.script ?? null);
    const { per_user = false, faults = [] } = filled;
    const expected = thresholdsWith(brought, filled.thresholds);
    const load = k6 ? loadOf(k6) : noLoad;
    const duration = durationOf(load);
    const window = k6
      ? readWindow(filled.window ?? {}, { duration, most: k6.maxDuration }, [...path, 'window'], report)
      : { from_s: 0, to_s: null };
    if (k6 && per_user) refusePerUser(k6, load, [...path, 'per_user'], report);
    const had = { groups, per_user, faults, queries };
    return {
      title: /** @type {string} */ (filled.title ?? name),
      description: /** @type {string | null} */ (filled.description ?? null),
      status: /** @type {'todo' | 'n-a' | null} */ (filled.status ?? null),
      reason: /** @type {string | null} */ (filled.reason ?? null),
      k6: k6 ?? {},
      load,
      window,
      duration_s: duration,
      order: orderOf(requests ?? []),
      requests,
      script,
      ...(script !== null && entryOf(variables, brought, { path: [...path, 'env'], services, report })),
      groups,
      per_user: /** @type {boolean} */ (per_user),
      faults: k6 ? readFaults(faults, { services, environment, duration, window }, [...path, 'faults'], report) : [],
      rows: readRows(filled.rows, [...path, 'rows'], report),
      cookies: /** @type {'iteration' | 'user'} */ (filled.cookies ?? 'iteration'),
      connections: /** @type {'reuse' | 'iteration' | 'request'} */ (filled.connections ?? 'reuse'),
      ...(filled.user_agent !== undefined && { user_agent: String(filled.user_agent) }),
      saturation: /** @type {'error' | 'expected'} */ (filled.saturation ?? 'error'),
      instances: /** @type {number} */ (filled.instances ?? 1),
      error_cap: /** @type {number} */ (filled.error_cap ?? limits.error_cap),
      smoke: /** @type {boolean} */ (filled.smoke ?? true),
      checks: /** @type {'count' | 'ignore'} */ (filled.checks ?? 'count'),
      mix_tolerance: /** @type {number} */ (filled.mix_tolerance ?? limits.mix_tolerance),
      thresholds: withChecks(
        once(expected, () =>
          thresholdsOf(
            expected,
            { requests, script, services, given: had },
            limitsAt,
            inScript(report, written, brought, 'thresholds'),
          ),
        ),
        filled,
      ),
      charts: /** @type {TomlTable[]} */ (filled.charts ?? []),
    };
  };
}

const nothing = Object.freeze({});

/** Whether the load of a scenario is in its script. @param {TomlTable} written */
export const ownsLoad = ({ script, executor, status }) => script !== undefined && executor === undefined && !status;

/** What is known when the services run: their addresses. @param {string} name */
const leftForScript = (name) => name === 'url' || leftForRunner(name);

/** Variables that the driver and k6 take for themselves. */
const takenVariables =
  /^(K6_.*|BASE_URL|BASE_HOSTS|BASE_READY|HEAD_URL|HEAD_HOSTS|HEAD_READY|CASE|PART|SEED|SUMMARY|ANSWERS|SMOKE|SCRIPT|PACKED)$/;

/**
 * How a script is begun: which of its functions is an iteration, what it finds in __ENV, and the tags of its samples.
 * @param {TomlTable} given variables of the spec
 * @param {OwnScenario | null} brought
 * @param {{ path: Path, services: Service[], report: Report }} context path: of `env`
 * @returns {{ exec?: string, env?: Record<string, string>, tags?: Record<string, string> }} what there is
 */
function entryOf(given, brought, { path, services, report }) {
  for (const name of Object.keys(given)) {
    const refuse = (/** @type {string} */ message, /** @type {string} */ hint) =>
      report([...path, name], message, hint, 'key');
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      refuse(`"${name}" cannot be the name of a variable`, 'Letters, digits and _ can.');
    } else if (name === 'BASE_URL') refuse('BASE_URL is the address of the system anyway', 'Drop the line.');
    else if (takenVariables.test(name)) {
      refuse(`${name} is a variable of ${name.startsWith('K6_') ? 'k6' : 'Benchfolio'} itself`, 'Choose another name.');
    }
  }
  const known = portNames(services);
  for (const { name, path: at } of placeholdersOf(given, path)) {
    const service = /^port\.(.+)$/.exec(name)?.[1];
    if (service === undefined || known.includes(service)) continue;
    report(at, noPort(service, services), { got: service, known }, { part: `\${${name}}` });
  }
  const env = Object.fromEntries(
    Object.entries({ ...brought?.env, ...given }).map(([name, value]) => [name, String(value)]),
  );
  const { exec = null, tags = {} } = brought ?? {};
  return {
    ...(exec !== null && { exec }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

/**
 * What a script expects, and what the spec says over it, by metric.
 * @param {OwnScenario | null} brought
 * @param {TomlTable} [expected]
 * @returns {TomlTable}
 */
const thresholdsWith = (brought, expected = nothing) =>
  brought === null ? expected : { ...brought.thresholds, ...expected };

/**
 * What is wrong with a key that the script wrote is shown where the spec names the script.
 * @param {Report} report
 * @param {TomlTable} written
 * @param {OwnScenario | null} brought
 * @param {string} [within] the key of a table
 * @returns {Report}
 */
function inScript(report, written, brought, within) {
  if (brought === null) return report;
  const depth = within === undefined ? 2 : 3;
  return (path, message, hint, focus) => {
    const key = path[depth];
    const isWritten =
      key === undefined ? false : (within === undefined ? written : (written[within] ?? {}))[key] !== undefined;
    if (isWritten) report(path, message, hint, focus);
    else {
      const of = brought.name === 'default' ? '' : `, scenario ${brought.name}`;
      report([...path.slice(0, 2), 'script'], `in the options of ${written.script}${of}: ${message}`, hint);
    }
  };
}

/**
 * The thresholds of a script, with one on its checks where it has none: as many may fail as requests may. Where the script
 * checks nothing, nothing is judged (`optional`).
 * @param {CaseThreshold[]} thresholds
 * @param {TomlTable} filled a scenario
 * @returns {CaseThreshold[]}
 */
function withChecks(thresholds, { script, checks, error_cap = limits.error_cap }) {
  const own = thresholds.some(({ metric, selector }) => metric === 'checks' && Object.keys(selector).length === 0);
  if (script === undefined || checks === 'ignore' || own) return thresholds;
  const value = Number((1 - error_cap).toPrecision(12));
  const judged = { aggregation: 'rate', percentile: null, op: '>=', value, unit: null, min_samples: 1 };
  return [
    ...thresholds,
    {
      metric: 'checks',
      selector: {},
      expr: `rate>=${value}`,
      ...judged,
      level: 'fail',
      source: 'k6',
      k6_metric: 'checks',
      optional: true,
    },
  ];
}

/** Placeholders in the names of a request and its group are not filled. @param {TomlTable} request */
const unnamed = ({ name, group, ...request }) => request;

/** A reader that reads each object once. @returns {<T>(of: object, read: () => T) => T} */
function remember() {
  const known = new Map();
  return (of, read) => {
    if (!known.has(of)) known.set(of, read());
    return known.get(of);
  };
}

/** A scenario that is not run yet may be incomplete. @param {TomlTable} filled @param {Path} path @param {Report} report */
const k6Of = (filled, path, report) =>
  filled.status && filled.executor === undefined ? null : k6Options(filled, path, report);

/**
 * Refuses what is wrong with an iteration whatever the values are.
 * @param {TomlTable} written a scenario
 * @param {TomlTable[] | undefined} sent its requests, without names
 * @param {readonly string[]} ready what steps after the start capture
 * @param {Path} path
 * @param {Report} report
 */
function checkIteration({ script, env, rows, status }, sent, ready, path, report) {
  if (env !== undefined && script === undefined) {
    report(
      [...path, 'env'],
      'only a script has variables of its own',
      'In requests write ${name} of [parameters].',
      'key',
    );
  }
  if (script !== undefined && sent) {
    report([...path, 'script'], 'the scenario has both a script and requests', 'Drop one of them.');
  }
  if (script === undefined && !sent?.length && !status) {
    report(path, 'the scenario has nothing to send', 'Give it [[…requests]], or `script = "…"`.');
  }
  if (!sent) return;
  const at = [...path, 'requests'];
  refuseVerbs(sent, at, report);
  const weighted = sent.some(({ weight }) => weight !== undefined);
  checkFlow(sent, { rows: readRows(rows, [...path, 'rows'], report), weighted, ready }, at, report);
}

/**
 * A threshold's request must exist; one on services is left out where the environment has none of them, since a spec's
 * environments need not all be ours to sample (`check` says so).
 * @param {TomlTable} written
 * @param {{ requests: Request[] | null, script: string | null, services: Service[],
 *   given: { groups: string[], per_user: boolean, faults: object[], queries: string[] } }} context
 * @param {Path} path
 * @param {Report} report
 */
function thresholdsOf(written, { requests, script, services, given }, path, report) {
  const names = requests?.map(({ name }) => name) ?? [];
  const sampled = services.filter((service) => service.sampled).map(({ name }) => name);
  const thresholds = readThresholds(written, {
    custom: script !== null,
    queries: given.queries,
    groups: given.groups,
    path,
    report,
  });
  refuseTargets(thresholds, given, report);
  for (const { selector, source, path: at } of thresholds) {
    const { name } = selector;
    if (source !== 'k6' || script !== null || name === undefined || names.includes(name)) continue;
    const key = at.filter((step) => typeof step === 'string');
    report(key, `no request is named "${name}"`, { got: name, known: names }, 'key');
  }
  return thresholds
    .filter(
      ({ source, selector: { service } }) =>
        source !== 'service' || (service === undefined ? sampled.length > 0 : sampled.includes(service)),
    )
    .map(({ path: _, ...threshold }) => threshold);
}
