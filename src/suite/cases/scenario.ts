import { noPort, portNames, type Service } from './environment.js';
import type { Path, Report } from './error.js';
import { durationOf, loadOf, noLoad } from './executors.js';
import { checkFlow, leftForDriver } from './flow.js';
import { readGroups } from './groups.js';
import { refuseHosts } from './hosts.js';
import { k6Options } from './k6-options.js';
import { fillPlaceholders, hasPlaceholders, placeholdersOf } from './placeholders.js';
import { readFaults } from './plan-faults.js';
import { orderOf, type Request, readRequests, refuseVerbs } from './requests.js';
import { readRows } from './rows.js';
import { leftForRunner } from './runner-scope.js';
import type { OwnScenario } from './script-options.js';
import { limits } from './tables.js';
import { refuseTargets } from './targets.js';
import { type CaseThreshold, readThresholds } from './thresholds.js';
import type { TomlTable } from './toml.js';
import { refusePerUser } from './users.js';
import { readWindow } from './window.js';

export type Scenario = ReturnType<ReturnType<typeof scenarioReader>>;

/**
 * Prepares a scenario for reading it with many values: parts that use none of them are read once.
 * @param context services: those of the environment; target: where its requests may go; ready: what steps after its start
 *   capture; queries: the names of the scenario's metrics from Prometheus; own: what its script brings, where the load is the
 *   script's
 */
export function scenarioReader(
  written: TomlTable,
  {
    name,
    environment,
    services,
    target,
    ready,
    queries,
    own,
    path,
    report,
  }: {
    name: string;
    environment: string;
    services: Service[];
    target: { baseUrl: string; hosts: string[] };
    ready: string[];
    queries: string[];
    own: (scope: Record<string, unknown>, env: TomlTable) => OwnScenario | null;
    path: Path;
    report: Report;
  },
) {
  const { requests: listed, sweep, metrics, groups: _, env, ...rest } = written;
  const entries = Object.entries(rest);
  const fixed = Object.fromEntries(entries.filter(([, value]) => !hasPlaceholders(value)));
  const open = Object.fromEntries(entries.filter(([, value]) => hasPlaceholders(value)));
  const sent = listed?.map(unnamed) as TomlTable[] | undefined;
  const [sentAt, limitsAt] = [
    [...path, 'requests'],
    [...path, 'thresholds'],
  ];
  const once = remember();
  checkIteration(written, sent, ready, path, report);
  const groups = readGroups(written, listed, path, report);

  /** The scenario with its defaults, and these values put in. */
  return (scope: Record<string, unknown>) => {
    const filled = { ...fixed, ...fillPlaceholders(open, scope, { path, report }) };
    const variables = fillPlaceholders(env ?? nothing, scope, { leave: leftForScript, path: [...path, 'env'], report });
    const brought = own(scope, variables);
    const options = { ...brought?.load, ...filled };
    const given = sent && fillPlaceholders(sent, scope, { leave: leftForDriver, path: sentAt, report });
    const requests = given
      ? once(given, () => refuseHosts(readRequests(given, listed, sentAt, report), target, sentAt, report))
      : null;
    const k6 = brought === null && ownsLoad(written) ? null : k6Of(options, path, inScript(report, written, brought));
    const script = (filled.script ?? null) as string | null;
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
      title: (filled.title ?? name) as string,
      description: (filled.description ?? null) as string | null,
      status: (filled.status ?? null) as 'todo' | 'n-a' | null,
      reason: (filled.reason ?? null) as string | null,
      k6: k6 ?? {},
      load,
      window,
      duration_s: duration,
      order: orderOf(requests ?? []),
      requests,
      script,
      ...(script !== null && entryOf(variables, brought, { path: [...path, 'env'], services, report })),
      groups,
      per_user: per_user as boolean,
      faults: k6 ? readFaults(faults, { services, environment, duration, window }, [...path, 'faults'], report) : [],
      rows: readRows(filled.rows, [...path, 'rows'], report),
      cookies: (filled.cookies ?? 'iteration') as 'iteration' | 'user',
      connections: (filled.connections ?? 'reuse') as 'reuse' | 'iteration' | 'request',
      ...(filled.user_agent !== undefined && { user_agent: String(filled.user_agent) }),
      saturation: (filled.saturation ?? 'error') as 'error' | 'expected',
      instances: (filled.instances ?? 1) as number,
      error_cap: (filled.error_cap ?? limits.error_cap) as number,
      smoke: (filled.smoke ?? true) as boolean,
      checks: (filled.checks ?? 'count') as 'count' | 'ignore',
      mix_tolerance: (filled.mix_tolerance ?? limits.mix_tolerance) as number,
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
      charts: (filled.charts ?? []) as TomlTable[],
    };
  };
}

const nothing = Object.freeze({});

/** Whether the load of a scenario is in its script. */
export const ownsLoad = ({ script, executor, status }: TomlTable) =>
  script !== undefined && executor === undefined && !status;

/** What is known when the services run: their addresses. */
const leftForScript = (name: string) => name === 'url' || leftForRunner(name);

/** Variables that the driver and k6 take for themselves. */
const takenVariables =
  /^(K6_.*|BASE_URL|BASE_HOSTS|BASE_READY|HEAD_URL|HEAD_HOSTS|HEAD_READY|CASE|PART|SEED|SUMMARY|ANSWERS|SMOKE|SCRIPT|PACKED)$/;

/**
 * How a script is begun: which of its functions is an iteration, what it finds in __ENV, and the tags of its samples.
 * @param given variables of the spec
 * @param context path: of `env`
 * @returns what there is
 */
function entryOf(
  given: TomlTable,
  brought: OwnScenario | null,
  { path, services, report }: { path: Path; services: Service[]; report: Report },
): { exec?: string; env?: Record<string, string>; tags?: Record<string, string> } {
  for (const name of Object.keys(given)) {
    const refuse = (message: string, hint: string) => report([...path, name], message, hint, 'key');
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

/** What a script expects, and what the spec says over it, by metric. */
const thresholdsWith = (brought: OwnScenario | null, expected: TomlTable = nothing): TomlTable =>
  brought === null ? expected : { ...brought.thresholds, ...expected };

/**
 * What is wrong with a key that the script wrote is shown where the spec names the script.
 * @param within the key of a table
 */
function inScript(report: Report, written: TomlTable, brought: OwnScenario | null, within?: string): Report {
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
 * @param filled a scenario
 */
function withChecks(
  thresholds: CaseThreshold[],
  { script, checks, error_cap = limits.error_cap }: TomlTable,
): CaseThreshold[] {
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

/** Placeholders in the names of a request and its group are not filled. */
const unnamed = ({ name, group, ...request }: TomlTable) => request;

/** A reader that reads each object once. */
function remember(): <T>(of: object, read: () => T) => T {
  const known = new Map();
  return (of, read) => {
    if (!known.has(of)) known.set(of, read());
    return known.get(of);
  };
}

/** A scenario that is not run yet may be incomplete. */
const k6Of = (filled: TomlTable, path: Path, report: Report) =>
  filled.status && filled.executor === undefined ? null : k6Options(filled, path, report);

/**
 * Refuses what is wrong with an iteration whatever the values are.
 * @param written a scenario
 * @param sent its requests, without names
 * @param ready what steps after the start capture
 */
function checkIteration(
  { script, env, rows, status }: TomlTable,
  sent: TomlTable[] | undefined,
  ready: readonly string[],
  path: Path,
  report: Report,
) {
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
 */
function thresholdsOf(
  written: TomlTable,
  {
    requests,
    script,
    services,
    given,
  }: {
    requests: Request[] | null;
    script: string | null;
    services: Service[];
    given: { groups: string[]; per_user: boolean; faults: object[]; queries: string[] };
  },
  path: Path,
  report: Report,
) {
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
