import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { UserError } from '../../base/errors.js';
import { askGit, GitError, gitIn } from '../../base/tools/git.js';
import type { TomlTable } from '../cases/toml.js';
import { isOurs, openSpec, systemNames } from '../suite.js';

/** prefix: of the suite, "" or "a/b/"; head: a commit; null: the working tree */
type GitChange = { git: ReturnType<typeof gitIn>; prefix: string; base: string; head: string | null };

/**
 * The systems whose numbers a change can move. The change is all that differs from where REF and HEAD part: commits,
 * what is not committed yet, and new files; a file that was renamed has changed at both of its places.
 * @param options repository: a folder of it, where the suite's is not in one; head: a commit in place of HEAD and what is not
 *   committed
 * @returns in the order of systems
 * @throws {UserError} no repository, no such commit, or no history that reaches where they part
 */
export async function changedSystems(
  suite: { root: string },
  systems: readonly string[],
  ref: string,
  { repository = suite.root, head = null }: { repository?: string; head?: string | null } = {},
): Promise<string[]> {
  const change = await changeSince(ref, repository, head);
  if (await touches(change, whatMeasures(suite, change.prefix))) return [...systems];
  const touched = await Promise.all(
    systems.map(
      // Its spec by itself: `paths` may take out what they will, and a change of them would hide all others.
      (system) =>
        Promise.all([
          touches(
            change,
            [`${change.prefix}specs/${system}`, ...scriptFolders(system, suite, change.prefix)].map(literal),
          ),
          touches(change, filesOf(system, suite, change.prefix)),
        ]),
    ),
  );
  return systems.filter((_, i) => touched[i].some(Boolean));
}

async function changeSince(ref: string, root: string, head: string | null): Promise<GitChange> {
  const ask = askGit(root);
  const prefix = await ask('rev-parse', '--show-prefix');
  const top = await ask('rev-parse', '--show-toplevel');
  if (prefix === null || !top) {
    throw new UserError(`${root} is in no git repository: what changed cannot be known`);
  }
  const commit = await ask('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  const base = commit && (await ask('merge-base', commit, head ?? 'HEAD'));
  if (base) return { git: gitIn(top), prefix, base, head };
  const shallow = (await ask('rev-parse', '--is-shallow-repository')) === 'true';
  const other = commit ? 'Both must be of one repository.' : 'git branch -a lists branches, git log --oneline commits.';
  throw new UserError(commit ? `"${ref}" and HEAD have no commit in common` : `there is no commit "${ref}" here`, {
    hint: shallow
      ? 'The clone is shallow: fetch the rest (git fetch --unshallow; fetch-depth: 0 of actions/checkout).'
      : other,
  });
}

/**
 * What every number depends on, as git's pathspecs. In our own repository that is the whole way from spec to record;
 * elsewhere it is pinned by a lock file, and `reports/` holds what overrides ours. Pages are not measured, nor what is
 * kept.
 */
function whatMeasures({ root }: { root: string }, prefix: string) {
  const own = isOurs({ root }) ? ['k6', 'src'] : [];
  const shared = namesIn(join(root, 'specs')).filter((name) => !systemNames({ root }).includes(name));
  return [
    ...['bench.toml', 'reports', ...own, ...shared.map((name) => `specs/${name}`)].map((path) =>
      literal(prefix + path),
    ),
    ...foldersUpFrom(prefix).flatMap((folder) => lockFiles.map((name) => literal(folder + name))),
    ...['versions', 'duets', 'calibrations'].map((kept) => `:(exclude,literal)${prefix}reports/${kept}`),
  ];
}

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml'];

/**
 * @param prefix "a/b/"
 * @returns "a/b/", "a/", ""
 */
function foldersUpFrom(prefix: string): string[] {
  if (prefix === '') return [''];
  const above = dirname(prefix);
  return [prefix, ...foldersUpFrom(above === '.' ? '' : `${above}/`)];
}

/** @returns the folders in it */
const namesIn = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/**
 * Where the scripts of a system are that are not in its own folder, with the modules and data beside them.
 * @returns folders
 */
function scriptFolders(system: string, suite: { root: string }, prefix: string): string[] {
  const folder = `${prefix}specs/${system}`;
  const scenarios = Object.values<TomlTable>(openSpec(suite, system).spec.scenarios ?? {});
  return scenarios
    .flatMap((scenario) =>
      typeof scenario?.script === 'string' ? [normalize(join(folder, dirname(scenario.script)))] : [],
    )
    .filter((path) => path !== '.' && path !== '..' && !path.startsWith('../'));
}

/**
 * The files of a system: its own folder, and what its spec's `paths` say; without them its services' folders.
 * @returns pathspecs
 */
function filesOf(system: string, suite: { root: string }, prefix: string): string[] {
  const folder = `${prefix}specs/${system}`;
  const { paths, environments } = openSpec(suite, system).spec;
  if (Array.isArray(paths)) return [literal(folder), ...paths.map(String).map(pattern)];
  const services = Object.values<TomlTable>(environments ?? {}).flatMap((environment) => environment?.services ?? []);
  const folders = services
    .map(({ cwd = '.' }) => normalize(join(folder, String(cwd))))
    .filter((path) => path !== '..' && !path.startsWith('../')); // git knows nothing of what lies outside
  return [literal(folder), ...folders.map(literal)];
}

const literal = (path: string) => `:(literal)${path}`;

/** @param text "!" before it takes out */
const pattern = (text: string) => (text.startsWith('!') ? `:(exclude,glob)${text.slice(1)}` : `:(glob)${text}`);

/**
 * @returns is one of these files changed, gone or new?
 * @throws {UserError} git takes one of them for no pattern
 */
async function touches({ git, base, head }: GitChange, pathspecs: string[]): Promise<boolean> {
  try {
    const lists = await Promise.all([
      git([
        'diff',
        '--name-only',
        '-z',
        '--no-renames',
        '--no-relative',
        base,
        ...(head === null ? [] : [head]),
        '--',
        ...pathspecs,
      ]),
      head !== null ? '' : git(['ls-files', '-z', '--others', '--exclude-standard', '--', ...pathspecs]),
    ]);
    return lists.some((list) => list.length > 0);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new UserError(`git does not understand the paths of a spec: ${error.output}`, { cause: error });
  }
}
