import { relative } from 'node:path';
import { UserError } from '../base/errors.js';
import { quoted } from '../base/io/shell.js';
import { composeIn, type DetectedContainer, dockerfileIn, misnamedIn, needsOthers } from './detect-containers.js';
import type { Start } from './detect-node.js';
import type { LeftRoute } from './detect-paths.js';
import { exposedPort } from './detect-port.js';
import { type Setup, serviceOf } from './found-service.js';
import { k6ScriptsIn, type SeenScript } from './k6-scripts.js';
import { describedIn, type SeenRequest } from './openapi.js';
import { workspacesOf } from './repository.js';
import { startBy, startIn } from './start.js';
import type { WorkflowServices } from './workflow-services.js';

/**
 * The facts that a spec is written from: a service to start, or an address where one runs. path: to load; requests: those that
 * a file describes, in place of it; more: paths that could be loaded too; left: what could not, and why; health: that says
 * whether it is ready, where that is another; contained: it runs in a container; seen: what was found and where; unsure: what
 * could not be seen, and what to do about it. service: the start. setup: before each start; beside: the databases that start
 * before it, and where they were seen; metrics: their path.
 */
export type Detected = {
  folder: string;
  path: string;
  requests?: SeenRequest[];
  more?: string[];
  left?: LeftRoute[];
  health?: string | null;
  seen: string[];
  unsure: string[];
  service: DetectedService | null;
  url: string | null;
  contained?: DetectedContainer | null;
  scripts?: SeenScript[];
};

/** fixed: the only port that it can listen on; null: it takes the port that it is given; ignored: what its build leaves */
type DetectedService = {
  argv: string[];
  env: Record<string, string>;
  build: string[][];
  setup: Setup | null;
  fixed: number | null;
  ignored: string[];
  setUp: Start['setUp'];
  metrics: string | null;
  beside: WorkflowServices | null;
};

/** What is said on the command line overrides what is seen. */
type DetectOptions = { url?: string; command?: string; port?: number };

/**
 * Looks for a service in a folder, else in the packages of its workspace.
 * @param top of the repository
 * @throws {UserError} the options contradict each other, or one is not valid
 */
export function lookFor(folder: string, top: string, options: DetectOptions): Detected {
  const found = lookForService(folder, top, options);
  const { scripts, seen, unsure } = k6ScriptsIn(folder);
  return { ...found, scripts, seen: [...found.seen, ...seen], unsure: [...found.unsure, ...unsure] };
}

function lookForService(folder: string, top: string, options: DetectOptions): Detected {
  if (options.url !== undefined && (options.command !== undefined || options.port !== undefined)) {
    throw new UserError('--url is for a service that already runs, --command and --port for one to start: choose one');
  }
  if (options.url !== undefined) return { ...addressOf(options.url), folder, seen: [], unsure: [] };
  const found = startOrContainer(folder, top, options);
  if (options.command !== undefined || options.port !== undefined) return found;
  return { ...found, unsure: [...misnamedIn(folder), ...found.unsure] };
}

function startOrContainer(folder: string, top: string, options: DetectOptions): Detected {
  const compose = options.command === undefined && options.port === undefined ? composeIn(folder) : null;
  if (compose && needsOthers(compose, folder)) return containedOf(compose, folder, startIn(folder, top));
  const start = options.command === undefined ? startIn(folder, top) : startBy(options.command, folder, top);
  if (start) return serviceOf(start, { folder, top, port: options.port });
  const packages = workspacesOf(folder)
    .map((packageFolder) => ({ packageFolder, start: startIn(packageFolder, top) }))
    .filter((candidate) => candidate.start !== null);
  if (packages.length === 1) {
    const found = serviceOf(packages[0].start as Start, {
      folder: packages[0].packageFolder,
      top,
      port: options.port,
    });
    return {
      ...found,
      seen: [`${relative(folder, packages[0].packageFolder)} is the only service of the workspace`, ...found.seen],
    };
  }
  const contained = packages.length > 0 || options.port !== undefined ? null : (compose ?? dockerfileIn(folder));
  if (contained) return containedOf(contained, folder);
  return nothingSeen(
    folder,
    packages.map(({ packageFolder }) => relative(folder, packageFolder)),
    options,
  );
}

/** @param start how it could be started without a container */
function containedOf(contained: DetectedContainer, folder: string, start: Start | null = null): Detected {
  const { seen, others, compose } = contained;
  const described = describedIn(folder);
  const requests = described?.requests ?? [];
  const path = requests[0]?.path ?? contained.path;
  const health = contained.health ?? described?.health;
  return {
    folder,
    path,
    requests,
    health,
    more: requests.length > 0 ? [] : contained.more,
    left: described ? described.left : contained.left,
    url: null,
    service: null,
    contained,
    seen: [
      ...seen,
      ...(described?.seen ?? []),
      ...(path === '/' || requests.length > 0 ? [] : [`it answers to GET ${path}`]),
    ],
    unsure: [
      ...(start === null
        ? []
        : [
            `it could run without containers too, with its databases as services of the spec: npx benchfolio init --command ${quoted(start.argv.map((word) => word.replace('${port}', '$PORT')).join(' '))}`,
          ]),
      ...(compose !== null && others.length > 0
        ? ['rows that the requests need are for a step of `after_ready`, which can run in a container: `service = "…"`']
        : []),
    ],
  };
}

/** @param packages where there are services, more than one */
function nothingSeen(folder: string, packages: string[], options: DetectOptions): Detected {
  const exposed = exposedPort(folder);
  const port = options.port ?? exposed ?? 8080;
  return {
    folder,
    path: '/',
    service: null,
    url: `http://127.0.0.1:${port}`,
    seen: options.port === undefined && exposed ? [`Dockerfile exposes port ${exposed}`] : [],
    unsure:
      packages.length > 0
        ? [
            `there are services in ${packages.join(' and ')}: run init in each folder (cd ${packages[0]}); each is a separate system`,
          ]
        : [
            'no start command was found: start the service yourself and write its URL into `url`,',
            'or delete the spec and name the command: npx benchfolio init --command "node server.js"',
          ],
  };
}

function addressOf(text: string): Pick<Detected, 'url' | 'path' | 'service'> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`--url is not a valid http(s) URL: ${text}`, {
      hint: 'For example: --url http://127.0.0.1:8080',
    });
  }
  if (url.username || url.password) {
    throw new UserError('--url contains a user or a password, which must not be in a file', {
      hint: "Leave them out, and write a header with ${env.NAME} into the spec's request.",
    });
  }
  return { url: url.origin, path: `${url.pathname}${url.search}`, service: null };
}
