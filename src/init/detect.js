import { join, relative } from 'node:path';
import { UserError } from '../errors.js';
import { composeIn, dockerfileIn, needsOthers } from './detect-containers.js';
import { goStart } from './detect-go.js';
import { entryStart, scriptStart } from './detect-node.js';
import { exposedPort, listens, pathsOf, portOf } from './detect-port.js';
import { procfileStart } from './detect-procfile.js';
import { pythonStart } from './detect-python.js';
import { moduleAt, sourcesIn, textOf, withImports } from './read.js';
import { workspacesOf } from './repository.js';
import { wordsOf } from './split-command.js';

/**
 * What a spec is written from: a service to start, or an address where one runs. path: to load; health: that says whether it
 * is ready, where that is another; contained: it runs in a container; seen: what was found and where; unsure: what could not be seen, and what to do about it.
 * @typedef {{ folder: string, path: string, health?: string | null, seen: string[], unsure: string[], service: DetectedService | null, url: string | null,
 *   contained?: import('./detect-containers.js').DetectedContainer | null }} Detected
 * @typedef {{ argv: string[], env: Record<string, string>, build: string[][], fixed: number | null, ignored: string[], setUp: Start['setUp'] }} DetectedService
 *   fixed: the only port that it can listen on; null: it takes the port that it is given; ignored: what its build leaves
 * @typedef {{ url?: string, command?: string, port?: number }} DetectOptions what is said on the command line overrides what is seen
 * @typedef {import('./detect-node.js').Start} Start
 */

/**
 * Looks for a service in a folder, else in the packages of its workspace.
 * @param {string} folder
 * @param {string} top of the repository
 * @param {DetectOptions} options
 * @returns {Detected}
 * @throws {UserError} what is given contradicts itself, or is none
 */
export function lookFor(folder, top, options) {
  if (options.url !== undefined && (options.command !== undefined || options.port !== undefined)) {
    throw new UserError('--url is for a service that already runs, --command and --port for one to start: choose one');
  }
  if (options.url !== undefined) return { ...addressOf(options.url), folder, seen: [], unsure: [] };
  const compose = options.command === undefined && options.port === undefined ? composeIn(folder) : null;
  if (compose && needsOthers(compose, folder)) return containedOf(compose, folder);
  const start = options.command === undefined ? startIn(folder, top) : startBy(options.command, folder, top);
  if (start) return serviceOf(start, folder, options);
  const packages = workspacesOf(folder)
    .map((place) => ({ place, start: startIn(place, top) }))
    .filter((one) => one.start !== null);
  if (packages.length === 1) {
    const found = serviceOf(/** @type {Start} */ (packages[0].start), packages[0].place, options);
    return {
      ...found,
      seen: [`${relative(folder, packages[0].place)} is the only service of the workspace`, ...found.seen],
    };
  }
  const contained = packages.length > 0 || options.port !== undefined ? null : (compose ?? dockerfileIn(folder));
  if (contained) return containedOf(contained, folder);
  return nothingSeen(
    folder,
    packages.map(({ place }) => relative(folder, place)),
    options,
  );
}

/**
 * @param {import('./detect-containers.js').DetectedContainer} contained
 * @param {string} folder
 * @returns {Detected}
 */
function containedOf(contained, folder) {
  const { path, health, seen, others, compose } = contained;
  return {
    folder,
    path,
    health,
    url: null,
    service: null,
    contained,
    seen: [...seen, ...(path === '/' ? [] : [`it answers to GET ${path}`])],
    unsure:
      compose !== null && others.length > 0
        ? ['rows that the requests need are for a step of `after_ready`, which can run in a container: `service = "…"`']
        : [],
  };
}

/** What is written down as the start overrides what only looks like one. @param {string} folder @param {string} top */
const startIn = (folder, top) =>
  scriptStart(folder, top) ??
  procfileStart(folder) ??
  entryStart(folder, top) ??
  goStart(folder) ??
  pythonStart(folder);

/**
 * @param {string} command
 * @param {string} folder
 * @param {string} top
 * @returns {Start}
 */
function startBy(command, folder, top) {
  const words = wordsOf(command);
  if (words === null) {
    throw new UserError(`--command is not one program and its arguments: ${command}`, {
      hint: 'No shell reads the commands of a spec. Put more than one program into a script: --command "sh that-script.sh".',
    });
  }
  const file = words.argv.slice(1).find((argument) => !argument.startsWith('-'));
  const entry = file === undefined ? null : moduleAt(`${folder}/${file}`);
  const { build = [], ignored, setUp } = startIn(folder, top) ?? {};
  return { ...words, entry, build, ignored, setUp, why: '' };
}

/**
 * @param {Start} start
 * @param {string} folder
 * @param {DetectOptions} options
 * @returns {Detected}
 */
function serviceOf(start, folder, options) {
  const files = start.entry === null ? [] : withImports(start.entry);
  const all = [...files, ...sourcesIn(folder)];
  const { env, fixed, seen, unsure } = portFor(start, { all, folder, options });
  const { path, health, others, metrics } = pathsOf(files.some((file) => listens(textOf(file) ?? '')) ? files : all);
  return {
    folder,
    path,
    health,
    url: null,
    seen: [
      start.why,
      seen,
      path === '/' ? '' : `it answers to GET ${path}`,
      health ? `GET ${health} says that it is ready` : '',
    ].filter(Boolean),
    unsure: [...unsure, ...unread({ path, health, others, metrics }, folder)],
    service: {
      argv: start.argv,
      build: start.build,
      env: { ...start.env, ...env },
      fixed,
      ignored: start.ignored ?? [],
      setUp: start.setUp,
    },
  };
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
    metrics ? `the metrics at ${metrics} are not read: the key \`metrics\` of the service does that` : '',
    compose ? `${compose} is not read: the key \`compose\` of an environment starts services of it in containers` : '',
  ].filter(Boolean);
}

/**
 * @param {Start} start
 * @param {{ all: string[], folder: string, options: DetectOptions }} where
 * @returns {{ env: Record<string, string>, fixed: number | null, seen: string, unsure: string[] }}
 */
function portFor({ argv, env = {}, fixed: declared }, { all, folder, options }) {
  const portIn = (/** @type {Record<string, string>} */ more, /** @type {string} */ seen) => ({
    env: more,
    fixed: null,
    seen,
    unsure: [],
  });
  const stuck = (/** @type {number} */ fixed, /** @type {string} */ seen) => ({ env: {}, fixed, seen, unsure: [] });
  if (options.port !== undefined) return stuck(options.port, '');
  if ([...argv, ...Object.values(env)].some((word) => word.includes('${port}')))
    return portIn({}, 'its command takes the port');
  if (env.PORT !== undefined) return portIn({ PORT: '${port}' }, 'it reads its port from PORT');
  const flag = Number(/(?:^| )(?:-p|--port)[ =](\d{2,5})(?: |$)/.exec(argv.join(' '))?.[1]);
  if (declared || flag) return stuck(Number(declared || flag), `its command starts it on port ${declared || flag}`);
  const found = portOf(all, folder);
  if (found && 'variable' in found.port) {
    return portIn({ [found.port.variable]: '${port}' }, `${found.file} reads its port from ${found.port.variable}`);
  }
  if (found && 'fixed' in found.port)
    return stuck(found.port.fixed, `${found.file} listens on port ${found.port.fixed}`);
  const exposed = exposedPort(folder);
  if (exposed) return stuck(exposed, `Dockerfile exposes port ${exposed}`);
  return {
    ...portIn({ PORT: '${port}' }, ''),
    unsure: [
      'its port was not found, so the spec passes one in PORT; write another variable into `env`, or a fixed port into `url` and `ready`',
    ],
  };
}

/**
 * @param {string} folder
 * @param {string[]} packages where there are services, more than one
 * @param {DetectOptions} options
 * @returns {Detected}
 */
function nothingSeen(folder, packages, options) {
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

/**
 * @param {string} text
 * @returns {Pick<Detected, 'url' | 'path' | 'service'>}
 */
function addressOf(text) {
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
