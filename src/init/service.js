import { join, relative } from 'node:path';
import { pathsOf } from './detect-paths.js';
import { listens, ownPort, portFor } from './detect-port.js';
import { literal } from './fill-template.js';
import { describedIn } from './openapi.js';
import { sourcesIn, textOf, withImports } from './read.js';
import { joinPath } from './routes/join-path.js';
import { workflowServicesIn } from './workflow-services.js';

/**
 * @import { Detected } from './detect.js'
 * @import { Start } from './detect-node.js'
 */

/**
 * All that can be seen of a service once it is known how it is started.
 * @param {Start} start
 * @param {{ folder: string, top: string, port: number | undefined }} where port: the one that is given
 * @returns {Detected}
 */
export function serviceOf(start, { folder: around, top, port }) {
  const folder = start.folder ?? around;
  const files = start.entry === null ? [] : withImports(start.entry);
  const all = [...files, ...sourcesIn(folder, start.sources)];
  const { env, fixed, seen, unsure } = portFor(start, { all, folder, port });
  const described = describedIn(folder) ?? describedIn(around);
  const requests = described?.requests ?? [];
  const paths = underOne(pathsOf(files.some((file) => listens(textOf(file) ?? '')) ? files : all), start.under ?? '');
  const path = requests[0]?.path ?? paths.path;
  const health = start.health ?? paths.health ?? described?.health ?? null;
  const beside = workflowServicesIn(top);
  const given = (/** @type {string} */ word) =>
    port === undefined ? word : word.replace(new RegExp(ownPort, 'g'), String(port));
  const entry = start.entry === null ? null : relative(folder, start.entry); // its name is no placeholder
  const migrates = start.migrate !== undefined && beside?.migrates === true;
  return {
    folder,
    path,
    requests,
    health,
    url: null,
    seen: [
      start.why,
      seen,
      path === '/' || requests.length > 0 ? '' : `it answers to GET ${path}`,
      ...(described?.seen ?? []),
      health ? `GET ${health} says that it is ready` : '',
      beside ? `${beside.from} has ${beside.services.map(({ name }) => name).join(' and ')} beside it` : '',
    ].filter(Boolean),
    unsure: [
      ...unsure,
      ...(start.unsure ?? []),
      ...(described?.unsure ?? []),
      ...(beside?.unsure ?? []),
      start.migrate && !migrates
        ? `its database is not migrated: \`setup = ${JSON.stringify(start.migrate).replaceAll('","', '", "')}\` does that`
        : '',
      ...unread({ ...paths, path, health, others: described ? [] : paths.others }, folder),
    ].filter(Boolean),
    service: {
      argv: start.argv.map((word) => given(word === entry ? literal(word) : word)),
      build: start.build.map((words) => words.map(literal)),
      setup: migrates ? start.migrate : undefined,
      env: {
        ...Object.fromEntries(Object.entries(start.env ?? {}).map(([name, value]) => [name, given(value)])),
        ...env,
        ...beside?.env,
      },
      fixed,
      ignored: start.ignored ?? [],
      setUp: start.setUp,
      metrics: paths.metrics,
      beside,
    },
  };
}

/** @param {ReturnType<typeof pathsOf>} paths @param {string} under that all of them are under */
function underOne({ path, health, others, metrics }, under) {
  const at = (/** @type {string} */ one) => joinPath(under, one);
  return { path: at(path), health: health && at(health), others: others.map(at), metrics: metrics && at(metrics) };
}

/**
 * What is there and not in the spec.
 * @param {ReturnType<typeof pathsOf>} paths
 * @param {string} folder
 * @returns {string[]}
 */
function unread({ path, health, others, metrics }, folder) {
  const compose = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'].find(
    (name) => textOf(join(folder, name)) !== null,
  );
  return [
    path === health
      ? `no address was found but ${health}, which only says that it is ready: write another into \`get\``
      : '',
    others.length > 0
      ? `addresses with parameters are not loaded: ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`
      : '',
    metrics ? `the metrics at ${metrics} are not read: Prometheus does that, by the line \`metrics\` of the spec` : '',
    compose ? `${compose} is not read: the key \`compose\` of an environment starts services of it in containers` : '',
  ].filter(Boolean);
}
