import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UserError } from '../errors.js';
import { isReplaceable } from '../io/replace-folder.js';
import { openSpec, systemNames } from '../suite.js';
import { packageVersion } from '../tools/find.js';
import { fillTemplate, literal } from './fill-template.js';
import { printable } from './printable.js';
import { textOf } from './read.js';
import { nameForm, upFrom } from './repository.js';

/**
 * A file of somebody's repository. text: what it is to hold; state: whether it is written, gets more lines, has them all
 * already, or is left to its owner, because it is there and differs; what: it is for.
 * @typedef {{ file: string, text: string, state: 'new' | 'more' | 'same' | 'left', what: string }} PlannedFile
 * @typedef {import('./repository.js').RepositoryPlace} RepositoryPlace
 * @typedef {import('./detect.js').Detected} Detected
 */

/**
 * All files, in the order in which they are written.
 * @param {RepositoryPlace} place
 * @param {{ name: string, title: string, seen: Detected, add: boolean, agents?: boolean }} system add: false: there are systems, and
 *   nobody named another; agents: AGENTS.md says how to measure a change
 * @returns {PlannedFile[]}
 */
export function filesFor(place, { name, title, seen, add, agents = false }) {
  if (!nameForm.test(name)) {
    throw new UserError(`"${name}" cannot be the name of a system`, {
      hint: 'At most 64 letters, digits, - and _: it is a folder in specs/.',
    });
  }
  const spec = join(place.root, 'specs', name, 'spec.toml');
  const files = [
    planned(join(place.root, 'bench.toml'), benchText(place, { name, title }), 'settings of all specs'),
    ...(add ? [planned(spec, specText(place, { name, title, seen }), 'what to measure, and what to expect')] : []),
    ignored(place, seen),
    ...(agents ? [forAgents(place, name)] : []),
  ];
  const starts =
    (add && (seen.service !== null || Boolean(seen.contained))) ||
    systemNames(place).some((system) => startsServices(place, system));
  return starts ? [...files, ...workflows(place, seen)] : files; // only what is started here can be measured at two commits
}

/**
 * A file that is there stays: whatever it is, a link to nowhere too.
 * @param {string} file
 * @param {string} text
 * @param {string} what
 * @returns {PlannedFile}
 */
function planned(file, text, what) {
  const there = statOf(file);
  if (!there) return { file, text, what, state: 'new' };
  return { file, text, what, state: textOf(file) === text ? 'same' : 'left' };
}

/** @param {string} path @throws {UserError} something on the way is no folder */
function statOf(path) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTDIR') throw error;
    throw new UserError(`${path} cannot be written: something above it is a file, not a folder`, {
      hint: 'Rename that file, or run init in a folder of its own.',
    });
  }
}

/** @param {RepositoryPlace} place @param {{ name: string, title: string }} names */
const benchText = (place, { name, title }) =>
  fillTemplate('bench.toml', { name, title, schema: schemaFrom(place.root, place, 'bench.schema.json') });

/** @param {RepositoryPlace} place @param {{ name: string, title: string, seen: Detected }} system */
function specText(place, { name, title, seen }) {
  const folder = join(place.root, 'specs', name);
  const cwd = relative(folder, seen.folder); // a path is no text with placeholders
  const path = literal(seen.path);
  return fillTemplate('spec.toml', {
    title,
    requests: requestsText(seen),
    environment: environmentText(seen, { cwd, path }),
    schema: schemaFrom(folder, place, 'spec.schema.json'),
    scripts: scriptsText(seen, folder),
  });
}

/** @param {Detected} seen @param {string} folder of the spec @returns {string | undefined} */
function scriptsText({ scripts = [] }, folder) {
  if (scripts.length === 0) return undefined;
  const written = scripts.map(({ name, file, variable }) =>
    fillTemplate('script.toml', {
      name,
      script: literal(relative(folder, file)),
      env: variable === null ? undefined : { [variable]: '${url}' },
    }),
  );
  return `\n# Your k6 scripts, as they are: each has its own load and thresholds.\n${written.join('\n')}`;
}

/** Of what could be sent too a spec has so many, as comments. */
const mostMore = 10;

/** Of several, each iteration sends one: the rate stays one of requests. @param {Detected} seen */
function requestsText({ path, requests = [], more = [] }) {
  const all = requests.length > 0 ? requests : [{ path, status: 200 }];
  const sent = all
    .map((one, at) =>
      fillTemplate('request.toml', {
        path: literal(one.path),
        status: one.status,
        weight: all.length > 1 ? 1 : undefined,
        first: at === 0 ? ' # any other response is an error' : '',
      }),
    )
    .join('\n');
  return more.length === 0 ? sent : `${sent}\n${moreText(more.slice(0, mostMore))}`;
}

/** @param {string[]} more paths */
function moreText(more) {
  const written = more.map((path) => fillTemplate('request.toml', { path: literal(path), status: 200, first: '' }));
  const commented = written.join('').replace(/^(?=.)/gm, '# ');
  return `# Also seen, and not sent. Without the # in front they are, one after the other in each iteration.\n${commented}`;
}

/** @param {Detected} seen @param {{ cwd: string, path: string }} where */
function environmentText({ service, url, contained, health = null }, { cwd, path }) {
  if (contained) {
    const { compose, name, port } = contained;
    const ready = health === null ? path : literal(health);
    return compose === null
      ? fillTemplate('container.toml', { name, cwd, port: Number(port), ready })
      : fillTemplate('compose.toml', { name, file: join(cwd, compose), ready });
  }
  if (service === null) return fillTemplate('address.toml', { url: literal(url ?? ''), cwd });
  const { argv, build, setup, env, fixed, metrics, beside } = service;
  const address = (/** @type {string} */ port) => `http://127.0.0.1:${fixed ?? port}`;
  return fillTemplate('started.toml', {
    url: address(beside === null ? '${port}' : '${port.app}'),
    cwd,
    beside: beside === null ? '' : besideText(beside),
    command: argv,
    name: 'app',
    ready: `${address('${port}')}${health === null ? path : literal(health)}`,
    build: oneOrAll(build),
    setup: setup?.sure ? oneOrAll(setup.commands) : undefined,
    setup_unsure: setup && !setup.sure ? oneOrAll(setup.commands) : undefined,
    env: Object.keys(env).length > 0 ? env : undefined,
    metrics: metrics === null ? undefined : `${address('${port}')}${metrics}`,
    alone: fixed === null ? undefined : `it listens on port ${fixed} only`,
  });
}

/** @param {string[][]} commands */
const oneOrAll = (commands) => (commands.length > 1 ? commands : commands[0]);

/** @param {import('./workflow-services.js').WorkflowServices} beside */
function besideText({ from, services }) {
  const written = services.map(({ name, image, port, env }) =>
    fillTemplate('beside.toml', { name, image, port, env: Object.keys(env).length > 0 ? env : undefined }),
  );
  return `# As ${printable(from)}: in containers, by Docker or Podman.\n${written.join('\n')}\n`;
}

/**
 * Editors show the keys' documentation where the package is installed beside the specs.
 * @param {string} from
 * @param {RepositoryPlace} place
 * @param {string} name
 */
function schemaFrom(from, { root, top }, name) {
  const path = join('node_modules', 'benchfolio', 'specs', name);
  const at = upFrom(root, path, top);
  return at === undefined ? undefined : relative(from, join(at, path));
}

/**
 * What is built and measured is not for git: the lines that are missing come at the end.
 * @param {RepositoryPlace} place
 * @param {Detected} seen
 * @returns {PlannedFile}
 */
function ignored({ root, top }, { service, folder }) {
  const file = join(top, '.gitignore');
  const before = statOf(file) ? textOf(file) : '';
  const what = 'files that git ignores';
  const prefix = relative(top, root) === '' ? '' : `${relative(top, root)}/`;
  const pages = isReplaceable(join(root, 'public')) ? `${prefix}public` : undefined; // a public/ of their own is for git
  // Who installs us by npm has these too, whatever the service is written in.
  const modules = upFrom(root, 'package.json', top) === undefined ? [] : ['node_modules/'];
  const own = (service?.ignored ?? []).map((name) => `/${join(relative(top, folder), name)}`);
  const lines = [...fillTemplate('gitignore', { pages }).split('\n').filter(Boolean), ...modules, ...own];
  if (before === null) return { file, what, text: `${lines.join('\n')}\n`, state: 'left' };
  const bare = (/** @type {string} */ line) => line.trim().replace(/^\/|\/$/g, '');
  const there = new Set(before.split('\n').map(bare));
  const missing = lines.filter((line) => !there.has(bare(line)));
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : end}${missing.map((line) => `${line}${end}`).join('')}`;
  return { file, what, text, state: missing.length === 0 ? 'same' : before === '' ? 'new' : 'more' };
}

/**
 * A part of AGENTS.md, at its end; one that is there stays.
 * @param {RepositoryPlace} place
 * @param {string} name of the system
 * @returns {PlannedFile}
 */
function forAgents({ top }, name) {
  const file = join(top, 'AGENTS.md');
  const what = 'how coding agents measure a change';
  const part = fillTemplate('agents.md', { name });
  const before = statOf(file) ? textOf(file) : '';
  if (before === null) return { file, what, text: part, state: 'left' };
  if (before.includes('npx benchfolio duet')) return { file, what, text: before, state: 'same' };
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return { file, what, text: before + gap + part, state: before === '' ? 'new' : 'more' };
}

/** @param {RepositoryPlace} place @param {string} system */
const startsServices = (place, system) =>
  Object.values(openSpec(place, system).spec.environments ?? {}).some((one) => one?.services?.length > 0);

/**
 * The report waits for the workflow that is called Benchmark, which must then be ours; who has another one is left alone.
 * @param {RepositoryPlace} place
 * @param {Detected} seen
 * @returns {PlannedFile[]}
 */
function workflows({ root, top }, { service, folder }) {
  const runtimes = fillTemplate(
    'workflows/runtimes.yml',
    noExpressions(setUpValues(service?.setUp ?? {}, { top, folder })),
  );
  const values = {
    ...noExpressions({ package: `benchfolio@${packageVersion()}`, folder: relative(top, root) || undefined }),
    runtimes: runtimes.trimEnd() || undefined,
  };
  const at = (/** @type {string} */ name) => join(top, '.github', 'workflows', name);
  const measures = planned(
    at('benchmark.yml'),
    fillTemplate('workflows/benchmark.yml', values),
    'measures pull requests',
  );
  const reports = planned(
    at('benchmark-report.yml'),
    fillTemplate('workflows/benchmark-report.yml', values),
    'posts the outcome on them',
  );
  const foreign = measures.state === 'left' && !(textOf(measures.file) ?? '').includes('benchfolio');
  const history = planned(
    at('benchmark-history.yml'),
    fillTemplate('workflows/benchmark-history.yml', values),
    'measures each push to main',
  );
  return [
    measures,
    ...[reports, history].map((file) => (foreign ? { ...file, state: /** @type {const} */ ('left') } : file)),
  ];
}

/**
 * GitHub evaluates `${{ … }}` wherever it stands in a workflow, also in the name of a folder.
 * @param {Record<string, string | undefined>} values
 */
const noExpressions = (values) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value?.replaceAll('${{', () => "${{ '${{' }}")]),
  );

/**
 * What a workflow installs for the service. Its files and folders are named from the top.
 * @param {import('./detect-node.js').SetUp} setUp
 * @param {{ top: string, folder: string }} where
 */
function setUpValues({ go, python, uv, java, dotnet, dotnetFile, ruby, rubyVersion, rust }, { top, folder }) {
  const fromTop = (/** @type {string | undefined} */ path) =>
    path === undefined ? undefined : relative(top, path) || '.';
  return {
    go: go && join(relative(top, folder), go),
    python: python === '3.x' ? python : undefined,
    python_file: python && python !== '3.x' ? join(relative(top, folder), python) : undefined,
    uv,
    java,
    dotnet,
    dotnet_file: fromTop(dotnetFile),
    ruby: fromTop(ruby),
    ruby_version: rubyVersion,
    ruby_said: rubyVersion === undefined ? fromTop(ruby) : undefined,
    rust: fromTop(rust),
  };
}

/** @param {PlannedFile[]} files @returns {PlannedFile[]} */
export const toWrite = (files) => files.filter(({ state }) => state === 'new' || state === 'more');
