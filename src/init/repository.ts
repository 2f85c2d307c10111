import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { printable } from './printable.js';
import { entriesOf, packageIn, tableOf, textOf } from './read-repository.js';

/** Where things go. root: the suite's folder; top: the repository's, where .github and .gitignore are. */
export type Repository = { root: string; top: string; git: boolean };

/** The suite is the one around a folder; where there is none it begins here. */
export function placeOf(cwd: string): Repository {
  const top = upFrom(cwd, '.git', '/') ?? null;
  const root = upFrom(cwd, 'bench.toml', top ?? cwd) ?? cwd;
  return { root, top: top ?? root, git: top !== null };
}

/**
 * @param last the folder to end with
 * @returns the nearest folder upwards that has it
 */
export function upFrom(folder: string, name: string, last: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at;
    if (at === last || at === dirname(at)) return undefined;
  }
}

/**
 * The folders of a workspace's packages, npm's or pnpm's; patterns as `packages/*`.
 * @returns absolute
 */
export function workspacesOf(folder: string): string[] {
  const { workspaces } = packageIn(folder);
  const listed = Array.isArray(workspaces) ? workspaces : tableOf(workspaces).packages;
  const yaml = textOf(join(folder, 'pnpm-workspace.yaml')) ?? '';
  const pnpm = [...yaml.matchAll(/^[ \t]*-[ \t]*['"]?([^'"\n#]+?)['"]?\s*$/gm)].map(([, path]) => path);
  return [
    ...new Set(
      [...(Array.isArray(listed) ? listed : []), ...pnpm].flatMap((pattern) => foldersOf(folder, String(pattern))),
    ),
  ];
}

function foldersOf(folder: string, pattern: string): string[] {
  const [, path, many] = /^(?:\.\/)?([\w./@-]*?)\/?(\*{1,2})?$/.exec(pattern) ?? [];
  if (path === undefined) return [];
  if (!many) return [join(folder, path)];
  return entriesOf(join(folder, path))
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, path, name));
}

/** What a spec's names look like, and those of folders in specs/. */
export const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * What a system without a name is called: as its package, else as its folder.
 * @returns name: one that a folder in specs/ may have
 */
export function namesOf(folder: string): { name: string; title: string } {
  const { name: packageName } = packageIn(folder);
  const title = typeof packageName === 'string' && packageName !== '' ? packageName : basename(folder) || 'service';
  const name = title
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 64);
  return { name: name || 'service', title: printable(title).trim() || 'service' };
}
