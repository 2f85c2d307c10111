import { join, relative } from 'node:path';
import type { Detected } from './detect.js';
import { fillTemplate, literal } from './fill-template.js';
import { printable } from './printable.js';
import { type Repository, upFrom } from './repository.js';
import type { WorkflowServices } from './workflow-services.js';

/**
 * The first spec of a repository.
 * @returns TOML
 */
export function specText(
  repository: Repository,
  { name, title, seen }: { name: string; title: string; seen: Detected },
): string {
  const folder = join(repository.root, 'specs', name);
  const cwd = relative(folder, seen.folder); // a path has no placeholders
  const path = literal(seen.path);
  return fillTemplate('spec.toml', {
    title,
    requests: requestsText(seen),
    environment: environmentText(seen, { cwd, path }),
    schema: schemaFrom(folder, repository, 'spec.schema.json'),
    scripts: scriptsText(seen, folder),
  });
}

/** @param folder of the spec */
function scriptsText({ scripts = [] }: Detected, folder: string): string | undefined {
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

/** Of several, each iteration sends one: the rate stays one of requests. */
function requestsText({ path, requests = [], more = [] }: Detected) {
  const all = requests.length > 0 ? requests : [{ path, status: 200 }];
  const sent = all
    .map((request, at) =>
      fillTemplate('request.toml', {
        path: literal(request.path),
        status: request.status,
        weight: all.length > 1 ? 1 : undefined,
        first: at === 0 ? ' # any other response is an error' : '',
      }),
    )
    .join('\n');
  return more.length === 0 ? sent : `${sent}\n${moreText(more.slice(0, mostMore))}`;
}

/** @param more paths */
function moreText(more: string[]) {
  const written = more.map((path) => fillTemplate('request.toml', { path: literal(path), status: 200, first: '' }));
  const commented = written.join('').replace(/^(?=.)/gm, '# ');
  return `# Also seen, and not sent. Without the # in front they are, one after the other in each iteration.\n${commented}`;
}

function environmentText(
  { service, url, contained, health = null }: Detected,
  { cwd, path }: { cwd: string; path: string },
) {
  if (contained) {
    const { compose, name, port } = contained;
    const ready = health === null ? path : literal(health);
    return compose === null
      ? fillTemplate('container.toml', { name, cwd, port: Number(port), ready })
      : fillTemplate('compose.toml', { name, file: join(cwd, compose), ready });
  }
  if (service === null) return fillTemplate('address.toml', { url: literal(url ?? ''), cwd });
  const { argv, build, setup, env, fixed, metrics, beside } = service;
  const address = (port: string) => `http://127.0.0.1:${fixed ?? port}`;
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

const oneOrAll = (commands: string[][]) => (commands.length > 1 ? commands : commands[0]);

function besideText({ from, services }: WorkflowServices) {
  const written = services.map(({ name, image, port, env }) =>
    fillTemplate('beside.toml', { name, image, port, env: Object.keys(env).length > 0 ? env : undefined }),
  );
  return `# As ${printable(from)}: in containers, by Docker or Podman.\n${written.join('\n')}\n`;
}

/** Editors show the keys' documentation where the package is installed beside the specs. */
export function schemaFrom(from: string, { root, top }: Repository, name: string) {
  const path = join('node_modules', 'benchfolio', 'specs', name);
  const at = upFrom(root, path, top);
  return at === undefined ? undefined : relative(from, join(at, path));
}
