import { join, relative } from 'node:path';
import { UserError } from '../base/errors.js';
import { isReplaceable } from '../base/io/replace-folder.js';
import { openSpec, systemNames } from '../suite/suite.js';
import type { Detected } from './detect.js';
import { fillTemplate } from './fill-template.js';
import { type PlannedFile, planned, statOf } from './planned-file.js';
import { textOf } from './read-repository.js';
import { nameForm, type Repository, upFrom } from './repository.js';
import { workflows } from './workflow-files.js';
import { schemaFrom, specText } from './write-spec.js';

/**
 * All files, in the order in which they are written.
 * @param system add: false: there are systems, and no other was named; agents: AGENTS.md says how to measure a change
 */
export function filesFor(
  repository: Repository,
  {
    name,
    title,
    seen,
    add,
    agents = false,
  }: { name: string; title: string; seen: Detected; add: boolean; agents?: boolean },
): PlannedFile[] {
  if (!nameForm.test(name)) {
    throw new UserError(`"${name}" cannot be the name of a system`, {
      hint: 'At most 64 letters, digits, - and _: it is a folder in specs/.',
    });
  }
  const spec = join(repository.root, 'specs', name, 'spec.toml');
  const files = [
    planned(join(repository.root, 'bench.toml'), benchText(repository, { name, title }), 'settings of all specs'),
    ...(add ? [planned(spec, specText(repository, { name, title, seen }), 'what to measure, and what to expect')] : []),
    ignored(repository, seen),
    ...(agents ? [forAgents(repository, name)] : []),
  ];
  const starts =
    (add && (seen.service !== null || Boolean(seen.contained))) ||
    systemNames(repository).some((system) => startsServices(repository, system));
  return starts ? [...files, ...workflows(repository, seen)] : files; // only what is started here can be measured at two commits
}

const benchText = (repository: Repository, { name, title }: { name: string; title: string }) =>
  fillTemplate('bench.toml', { name, title, schema: schemaFrom(repository.root, repository, 'bench.schema.json') });

/** Builds and results do not belong in git: the lines that are missing come at the end. */
function ignored({ root, top }: Repository, { service, folder }: Detected): PlannedFile {
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
  const bare = (line: string) => line.trim().replace(/^\/|\/$/g, '');
  const there = new Set(before.split('\n').map(bare));
  const missing = lines.filter((line) => !there.has(bare(line)));
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : end}${missing.map((line) => `${line}${end}`).join('')}`;
  return { file, what, text, state: missing.length === 0 ? 'same' : before === '' ? 'new' : 'more' };
}

/**
 * A part of AGENTS.md, at its end; one that is there stays.
 * @param name of the system
 */
function forAgents({ top }: Repository, name: string): PlannedFile {
  const file = join(top, 'AGENTS.md');
  const what = 'how coding agents measure a change';
  const part = fillTemplate('agents.md', { name });
  const before = statOf(file) ? textOf(file) : '';
  if (before === null) return { file, what, text: part, state: 'left' };
  if (before.includes('npx benchfolio duet')) return { file, what, text: before, state: 'same' };
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return { file, what, text: before + gap + part, state: before === '' ? 'new' : 'more' };
}

const startsServices = (repository: Repository, system: string) =>
  Object.values<any>(openSpec(repository, system).spec.environments ?? {}).some(
    (environment) => environment?.services?.length > 0,
  );

export const toWrite = (files: PlannedFile[]): PlannedFile[] =>
  files.filter(({ state }) => state === 'new' || state === 'more');
