import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listens } from './detect-port.js';
import { moduleAt, type PackageJson, packageIn, textOf } from './read-repository.js';
import { wordsOf } from './split-command.js';

/**
 * How a service is started, as its repository shows it. entry: its first source; why: what it was seen by.
 * folder: where it runs, if not where it was looked for; fixed: a port that the command itself says; ignored: what its build
 * leaves in its folder; sources: how the files of its language end; under: the path that all of it is under; health: a path
 * that no source says; migrate: what a database needs before each start; unsure: what is left to say; setUp: what a workflow
 * sets up for it, besides Node.js.
 */
export type Start = {
  argv: string[];
  env?: Record<string, string>;
  entry: string | null;
  build: string[][];
  why: string;
  folder?: string;
  fixed?: number;
  ignored?: string[];
  sources?: RegExp;
  under?: string;
  health?: string;
  migrate?: string[];
  unsure?: string[];
  setUp?: SetUp;
};

/** What a workflow installs: versions, files that say one, and folders in which it is said. */
export type SetUp = {
  go?: string;
  python?: string;
  uv?: string;
  java?: string;
  dotnet?: string;
  dotnetFile?: string;
  ruby?: string;
  rubyVersion?: string;
  rust?: string;
};

/** Where a service without a word on its start usually begins. */
const commonNames = ['server', 'app', 'index', 'main']
  .flatMap((name) => [name, `src/${name}`])
  .flatMap((name) => ['js', 'mjs', 'cjs'].map((end) => `${name}.${end}`));

/**
 * By the start script of package.json.
 * @param top of the repository: a lock file may lie there
 */
export function scriptStart(folder: string, top: string): Start | null {
  const pack = packageIn(folder);
  const script = pack.scripts.start;
  if (typeof script !== 'string' || script.trim() === '') return null;
  const start = byScript(script, pack, folder, top);
  return { ...start, build: buildOf(pack, folder, top, start.env?.NODE_ENV !== undefined) };
}

/** By package.json's main or bin, else by the usual names: a file that listens. */
export function entryStart(folder: string, top: string): Start | null {
  const pack = packageIn(folder);
  const named = [pack.main, ...(typeof pack.bin === 'object' ? Object.values(pack.bin ?? {}) : [pack.bin])];
  const names = [...named.filter((name) => typeof name === 'string'), ...commonNames];
  const entry = names
    .map((name) => moduleAt(join(folder, name)))
    .find((file) => file !== null && /\.[cm]?js$/.test(file) && listens(textOf(file) ?? ''));
  if (!entry) return null;
  const path = relative(folder, entry);
  return { argv: ['node', path], entry, build: buildOf(pack, folder, top, false), why: `${path} listens` };
}

/**
 * What must be done before a command that is written elsewhere.
 * @param production whether the command's environment says so
 * @returns empty: there is no package.json, or nothing to do
 */
export const nodeBuild = (folder: string, top: string, production: boolean): string[][] =>
  buildOf(packageIn(folder), folder, top, production);

/**
 * Node.js itself where the script only starts it: npm in between would be measured too.
 * @param script that starts it
 */
function byScript(script: string, { scripts, main }: PackageJson, folder: string, top: string): Omit<Start, 'build'> {
  const why = `package.json starts \`${script}\``;
  const words = wordsOf(script);
  const hooks = scripts.prestart !== undefined || scripts.poststart !== undefined;
  const path = /(?:^|\s)node\s+(?:-\S+\s+)*([^\s;&|]+)/.exec(script)?.[1];
  const entry = path === undefined ? null : moduleAt(join(folder, path === '.' ? String(main ?? 'index.js') : path));
  if (words?.argv[0] === 'node' && !hooks) return { ...words, entry, why };
  const port = Number(/(?:\bPORT=|\s(?:-p|--port)[ =])(\d{2,5})\b/.exec(script)?.[1]);
  return { argv: [managerOf(folder, top), 'start'], entry, why, ...(port > 0 && { fixed: port }) };
}

/**
 * What must be done before a start. In a duet the other side is a fresh checkout; here most is there already, and what
 * is only for development stays: npm ci would take us away too.
 * @param production whether the environment says so, and must be contradicted
 */
function buildOf({ dependencies, scripts }: PackageJson, folder: string, top: string, production: boolean): string[][] {
  const manager = managerOf(folder, top);
  const install = {
    npm: [
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      ...(lockAbove('package-lock.json', folder, top) ? [] : ['--no-package-lock']),
    ],
    pnpm: ['pnpm', 'install', '--frozen-lockfile'],
    yarn: ['yarn', 'install', '--frozen-lockfile'],
    bun: ['bun', 'install', '--frozen-lockfile'],
  }[manager].concat(
    production
      ? { npm: ['--include=dev'], pnpm: ['--prod=false'], yarn: ['--production=false'], bun: [] }[manager]
      : [],
  );
  const builds = typeof scripts.build === 'string';
  return [
    ...(builds || Object.keys(dependencies).length > 0 ? [install] : []),
    ...(builds ? [[manager, 'run', 'build']] : []),
  ];
}

export function managerOf(folder: string, top: string): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  if (lockAbove('pnpm-lock.yaml', folder, top) || existsSync(join(top, 'pnpm-workspace.yaml'))) return 'pnpm';
  if (lockAbove('yarn.lock', folder, top)) return 'yarn';
  return lockAbove('bun.lock', folder, top) ? 'bun' : 'npm';
}

const lockAbove = (name: string, folder: string, top: string): boolean =>
  existsSync(join(folder, name)) ||
  (folder !== top && folder !== dirname(folder) && lockAbove(name, dirname(folder), top));
