/** @import { Case } from './expand.js' */

/**
 * What the definition hash covers: everything that changes what is measured. Not titles, thresholds, comparison and
 * charts: changing what is expected does not start a new series.
 * @param {Case} item
 * @param {Record<string, string>} [digests] sha256 of each of `filesOf(item)`, by path
 * @returns {Record<string, any>} with sorted keys, so that equal definitions have equal JSON
 */
export function definitionOf(item, digests = {}) {
  return sorted({
    path: pathOf(item.url),
    restart: item.restart,
    setup: item.setup,
    services: item.services.map(({ name, build, setup, command, env, files, cpus }) => ({
      name,
      build,
      setup,
      command,
      env,
      files,
      cpus,
    })),
    k6: item.search ? withoutLoad(item.k6) : item.k6,
    window: item.window,
    order: item.order,
    requests: item.requests?.map(({ group, ...request }) => (group === null ? request : { ...request, group })),
    script: item.script,
    parameters: readsParameters(item) ? item.parameters : null,
    rows: item.rows,
    cookies: item.cookies,
    connections: item.connections,
    ...(item.instances > 1 ? { instances: item.instances } : {}), // so that this key did not start new series
    digests,
    ...added(item),
  });
}

/**
 * What came later, only where it is used: the definitions of the others stay what they were.
 * @param {Case} item
 */
function added({ network, faults, groups, script, per_user, queries, search }) {
  return {
    ...(search && { search: { parameter: search.parameter, precision: search.precision } }),
    ...(network && { network }),
    ...(faults.length && { faults }),
    ...(script !== null && groups.length && { groups }),
    ...(per_user && { per_user }),
    ...(queries.length && { queries: queries.map(({ name, query, over }) => ({ name, query, over })) }),
  };
}

/** The load that was found is what is measured, not a part of what is measured. @param {Record<string, any>} k6 */
const withoutLoad = ({ rate, vus, timeUnit, preAllocatedVUs, ...k6 }) => k6;

/**
 * The files of the spec's folder that a case sends, runs or fills.
 * @param {Case} item
 * @returns {string[]} relative to the spec's folder
 */
export function filesOf(item) {
  const bodies = (item.requests ?? []).map(({ body }) => body?.file);
  const templates = item.services.flatMap(({ files }) => Object.keys(files));
  const files = [item.script, item.rows?.file, ...bodies, ...templates];
  return [...new Set(files)].filter((file) => typeof file === 'string');
}

/** What a script or a template of a service takes of the parameters is not to be seen here. @param {Case} item */
export const readsParameters = ({ script, services }) =>
  script !== null || services.some(({ files }) => Object.keys(files).length > 0);

/** The host and port of a URL may differ from machine to machine. @param {string} url */
const pathOf = (url) => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/$/, '');

/** @param {any} value @returns {any} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
