import type { K6Options } from './executors.js';
import type { Case } from './expand.js';
import { sorted } from './sorted.js';

/**
 * What the definition hash covers: everything that changes what is measured. Not titles, thresholds, comparison and
 * charts: changing what is expected does not start a new series.
 * @param digests sha256 of each of `filesOf(benchCase)`, by path
 * @returns with sorted keys, so that equal definitions have equal JSON
 */
export function definitionOf(benchCase: Case, digests: Record<string, string> = {}): Record<string, any> {
  return sorted({
    path: pathOf(benchCase.url),
    restart: benchCase.restart,
    setup: benchCase.setup,
    services: benchCase.services.map(({ name, ports, build, setup, command, env, files, cpus, container }) => ({
      name,
      ...(ports && { ports }),
      build,
      setup,
      command,
      env,
      files,
      cpus,
      ...(container && { container }),
    })),
    k6: benchCase.search ? withoutLoad(benchCase.k6) : benchCase.k6,
    window: benchCase.window,
    order: benchCase.order,
    requests: benchCase.requests?.map(({ group, ...request }) => (group === null ? request : { ...request, group })),
    script: benchCase.script,
    parameters: readsParameters(benchCase) ? benchCase.parameters : null,
    rows: benchCase.rows.length > 1 ? benchCase.rows : (benchCase.rows[0] ?? null), // as when there could be one only
    cookies: benchCase.cookies,
    connections: benchCase.connections,
    ...(benchCase.instances > 1 ? { instances: benchCase.instances } : {}), // so that this key did not start new series
    digests,
    ...added(benchCase),
  });
}

/** What came later, only where it is used: the definitions of the others stay what they were. */
function added({
  player,
  generators,
  network,
  faults,
  groups,
  script,
  per_user,
  queries,
  search,
  user_agent,
  exec,
  env,
  tags,
  reuse = [],
  after_ready = [],
}: Case) {
  return {
    ...(player && { player }),
    ...(generators && { generators: Object.keys(generators) }), // how many: instances
    ...(search && { search: { parameter: search.parameter, precision: search.precision } }),
    ...(network && { network }),
    ...(reuse.length && { reuse }),
    ...(after_ready.length && {
      after_ready: after_ready.map(({ name, secret, timeout, once, ...done }) => ({ ...done, ...(once && { once }) })),
    }),
    ...(faults.length && { faults }),
    ...(script !== null && groups.length && { groups }),
    ...(user_agent && { user_agent }),
    ...(exec && { exec }),
    ...(env && { env }),
    ...(tags && { tags }),
    ...(per_user && { per_user }),
    ...(queries.length && { queries: queries.map(({ name, query, over }) => ({ name, query, over })) }),
  };
}

/** The load that was found is what is measured, not a part of what is measured. */
const withoutLoad = ({ rate, vus, timeUnit, preAllocatedVUs, ...k6 }: K6Options) => k6;

/**
 * The files of the spec's folder that a case sends, runs or fills.
 * @returns relative to the spec's folder
 */
export function filesOf(benchCase: Case): string[] {
  const bodies = (benchCase.requests ?? []).map(({ body }) => body?.file);
  const templates = benchCase.services.flatMap(({ files }) => Object.keys(files));
  const protos = (benchCase.requests ?? []).flatMap(({ proto = [] }) => proto);
  const files = [benchCase.script, ...benchCase.rows.map(({ file }) => file), ...bodies, ...protos, ...templates];
  return [...new Set(files)].filter((file) => typeof file === 'string');
}

/** What a script or a template of a service takes of the parameters is not to be seen here. */
export const readsParameters = ({ script, services }: Case) =>
  script !== null || services.some(({ files }) => Object.keys(files).length > 0);

/** The host and port of a URL may differ from machine to machine. */
const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/$/, '');
