import { join, relative } from 'node:path';
import type { Detected } from './detect.js';
import { composeFiles, composeIn } from './detect-containers.js';
import type { Start } from './detect-node.js';
import { pathsOf } from './detect-paths.js';
import { listens, ownPort, portFor } from './detect-port.js';
import { literal } from './fill-template.js';
import { migrationFilesIn, migrationsIn } from './migrations.js';
import { describedIn } from './openapi.js';
import { sourcesIn, textOf, withImports } from './read-repository.js';
import { joinPath } from './routes/join-path.js';
import { type WorkflowServices, workflowServicesIn } from './workflow-services.js';

/**
 * All that can be seen of a service once it is known how it is started.
 * @param where port: the one that is given
 */
export function serviceOf(
  start: Start,
  { folder: around, top, port }: { folder: string; top: string; port: number | undefined },
): Detected {
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
  const given = (word: string) => (port === undefined ? word : word.replace(new RegExp(ownPort, 'g'), String(port)));
  const entry = start.entry === null ? null : relative(folder, start.entry); // its name is not a placeholder
  const setup = setupOf(start, beside, folder);
  return {
    folder,
    path,
    requests,
    health,
    more: requests.length > 0 ? [] : paths.more,
    left: described ? described.left : paths.left,
    url: null,
    seen: [
      start.why,
      seen,
      path === '/' || requests.length > 0 ? '' : `it answers to GET ${path}`,
      ...(described?.seen ?? []),
      health ? `GET ${health} says that it is ready` : '',
      setup?.sure ? `before each start it does what ${setup.from} says` : '',
      beside ? `${beside.from} has ${beside.services.map(({ name }) => name).join(' and ')} beside it` : '',
    ].filter(Boolean),
    unsure: [
      ...unsure,
      ...(start.unsure ?? []),
      ...(beside?.unsure ?? []),
      setup !== null && !setup.sure
        ? `its database is not migrated: without the # in front, \`setup\` of the spec does what ${setup.from} says`
        : '',
      ...unread({ ...paths, path, health }, folder),
    ].filter(Boolean),
    service: {
      argv: start.argv.map((word) => given(word === entry ? literal(word) : word)),
      build: start.build.map((words) => words.map(literal)),
      setup,
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

/** What is done before each start. sure: it leads to the database that starts beside it, and to no other. */
export type Setup = { commands: string[][]; from: string; sure: boolean };

/** @returns null: nothing is known */
function setupOf({ migrate, why }: Start, beside: WorkflowServices | null, folder: string): Setup | null {
  const ofJob = migrationsIn(beside?.lines ?? [], migrate !== undefined);
  const own = migrate === undefined ? [] : [migrate];
  const said = [...own, ...ofJob].length > 0;
  const { commands, from } = said
    ? {
        commands: [...own, ...ofJob],
        from: [own.length ? why : '', ofJob.length ? beside?.from : ''].filter(Boolean).join(' and '),
      }
    : (migrationFilesIn(folder) ?? { commands: [], from: '' });
  if (commands.length === 0) return null;
  return { commands, from, sure: said && beside?.migrates === true };
}

/** @param under that all of them are under */
function underOne({ path, health, metrics, more, left }: ReturnType<typeof pathsOf>, under: string) {
  const at = (route: string) => joinPath(under, route);
  return {
    path: at(path),
    health: health && at(health),
    metrics: metrics && at(metrics),
    more: more.map(at),
    left: left.map(({ route, reason }) => ({ route: route.replace(/(?<= ).*/s, at), reason })),
  };
}

/** What is there and not in the spec. */
function unread({ path, health, metrics }: ReturnType<typeof pathsOf>, folder: string): string[] {
  const compose = composeFiles.find((name) => textOf(join(folder, name)) !== null);
  const whole = composeIn(folder); // the service too
  return [
    path === health
      ? `no address was found but ${health}, which only says that it is ready: write another into \`get\``
      : '',
    metrics ? `the metrics at ${metrics} are not read: Prometheus does that, by the line \`metrics\` of the spec` : '',
    compose && whole
      ? `it is started by its own command, not as ${whole.name} of ${compose}: the key \`compose\` of an environment does that, in containers`
      : '',
    compose && !whole
      ? `${compose} is not read: the key \`compose\` of an environment starts services of it in containers`
      : '',
  ].filter(Boolean);
}
