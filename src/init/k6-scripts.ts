import { basename, extname, join, relative } from 'node:path';
import { modulesOf } from '../base/io/script-files.js';
import { programOf } from '../base/tools/find-tool.js';
import { inspectorOf } from '../suite/check/inspect-script.js';
import { checkImports } from '../suite/check/references/script-imports.js';
import { entriesOf, textOf, withImports, withoutComments } from './read-repository.js';
import { nameForm } from './repository.js';

/**
 * A k6 script of the repository. variable: in which it looks for its address, where that is not BASE_URL.
 * file: absolute
 */
export type SeenScript = { name: string; file: string; variable: string | null };

/** Folders of others, and of what is made; tests and examples may well hold scripts. */
const skipped = new Set([
  'node_modules',
  'vendor',
  'dist',
  'build',
  'target',
  'coverage',
  'public',
  'specs',
  'reports',
]);

/** Scripts that become scenarios, that are named though they do not, folders down, and files that are read. */
const most = { scripts: 10, named: 10, depth: 4, files: 3000 };

/**
 * Looks for k6 scripts: files that take something from k6, say what an iteration or the load is, and are no part of another
 * script. What `check` would refuse is no scenario, and is named.
 */
export function k6ScriptsIn(folder: string): { scripts: SeenScript[]; seen: string[]; unsure: string[] } {
  const found = sourcesIn(folder).filter(isScript);
  const parts = new Set(found.flatMap((file) => withImports(file).slice(1)));
  const all = found.filter((file) => !parts.has(file));
  const inspect = programOf('k6') === null ? null : inspectorOf(folder);
  const scripts: SeenScript[] = [];
  const unsure = [];
  let more = 0;
  for (const file of all) {
    const path = relative(folder, file);
    const { variable, own, unknown } = addressIn(file);
    const why = whyNot(file, folder) ?? unknown;
    if (why !== null) {
      unsure.push(`${path} is no scenario: ${why}`);
    } else if (scripts.length >= most.scripts) {
      more += 1;
    } else {
      const read = inspect?.(path, variable === null ? {} : { [variable]: '${url}' });
      if (read && 'problem' in read) {
        unsure.push(`${path} is no scenario: ${read.problem}`);
        continue;
      }
      if (own !== null)
        unsure.push(`${path} sends to ${own}: let it take __ENV.BASE_URL, or it is refused before its load`);
      scripts.push({ name: nameOf(file, folder, [...scripts.map(({ name }) => name), 'steady']), file, variable });
    }
  }
  if (more > 0) unsure.push(`${more} more k6 scripts are not scenarios yet`);
  return { scripts, unsure: shortened(unsure), seen: seenText(scripts.map(({ file }) => relative(folder, file))) };
}

function seenText(files: string[]): string[] {
  if (files.length === 0) return [];
  const [what, they] =
    files.length === 1 ? ['a k6 script, a scenario', 'it is'] : ['k6 scripts, scenarios', 'they are'];
  return [`${files.join(', ')}: ${what} as ${they}`];
}

const shortened = (lines: string[]) =>
  lines.length <= most.named
    ? lines
    : [...lines.slice(0, most.named), `${lines.length - most.named} more k6 scripts are no scenarios`];

/**
 * Why a script would not run as it is, by what it and its files import.
 * @returns null: nothing that is seen
 */
function whyNot(file: string, folder: string): string | null {
  const path = `${relative(folder, file)} `;
  const problems: string[] = [];
  checkImports(file, { root: folder }, [], (_path, message) => problems.push(message));
  for (const part of [file, ...withImports(file).slice(1)]) {
    const from = `${relative(folder, part)} imports`;
    for (const module of modulesOf(part)) {
      if (module.startsWith('k6/x/')) problems.push(`${from} ${module}, an extension of k6`);
      else if (/^https?:/.test(module)) problems.push(`${from} ${module}, which k6 fetches each time it starts`);
      else if (!/^(?:k6(?:\/|$)|\.{0,2}\/)/.test(module)) problems.push(`${from} ${module}, which k6 does not have`);
    }
  }
  const [first = null] = problems;
  return first?.startsWith(path) ? first.slice(path.length) : first;
}

/** @returns nearest first */
function sourcesIn(folder: string): string[] {
  let level = [folder];
  const found: string[] = [];
  for (let depth = 0; depth <= most.depth && level.length > 0 && found.length < most.files; depth += 1) {
    const entries = level.flatMap((at) => entriesOf(at).map((entry) => ({ entry, path: join(at, entry.name) })));
    found.push(
      ...entries.filter(({ entry }) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name)).map(({ path }) => path),
    );
    level = entries
      .filter(({ entry }) => entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name))
      .map(({ path }) => path);
  }
  return found.slice(0, most.files);
}

function isScript(file: string) {
  const text = textOf(file);
  if (text === null || !/\bfrom\s+['"]k6(?:\/[\w/-]+)?['"]/.test(text)) return false;
  const code = withoutComments(text);
  return isIteration(code) || /^\s*export\s+(?:const|let|var)\s+options\b[\s\S]*\bexec\s*:/m.test(code);
}

/**
 * An iteration is a function that takes what setup returned, and nothing else: a class is a page of a browser, and who takes
 * more is called by another script.
 */
function isIteration(code: string) {
  const exported =
    /^\s*export\s+default\s+(?<what>class\b)?(?:(?:async\s+)?(?:function\b\s*\*?\s*\w*\s*)?\((?<parameters>[^)]*)\))?/m.exec(
      code,
    );
  if (!exported?.groups || exported.groups.what) return false;
  const { parameters = '' } = exported.groups;
  return !parameters.replace(/\{[^}]*\}|\[[^\]]*\]/g, '').includes(',');
}

function nameOf(file: string, folder: string, taken: string[]): string {
  const plain = (text: string) =>
    text
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+|-+$/g, '')
      .slice(0, 60);
  const short = plain(basename(file, extname(file)).replace(/\.(?:k6|test|load)$/, ''));
  const long = plain(relative(folder, file).replace(/\.[^.]*$/, ''));
  const free = [short, long].find((name) => nameForm.test(name) && !taken.includes(name));
  return free ?? `script-${taken.length}`;
}

/**
 * Where a script sends to, as far as can be read.
 * @returns own: an address that its text alone decides; unknown: why no variable could be chosen that is the address
 */
function addressIn(file: string): { variable: string | null; own: string | null; unknown: string | null } {
  const code = withImports(file)
    .map((script) => withoutComments(textOf(script) ?? '').replace(imports, ''))
    .join('\n');
  const names = variablesIn(code);
  if (names.includes('BASE_URL')) return { variable: null, own: null, unknown: null };
  const pieced = /:\/\/['"`]|['"`]:\/\/|https?:\/\/\$\{/.test(code); // '://' + host: a host is no address
  const variable =
    names.find((name) => /URL|URI|BASE|TARGET|ENDPOINT|ORIGIN|SERVER|API$/i.test(name)) ??
    names.find((name) => !pieced && /HOST/i.test(name)) ??
    null;
  const [own = null] = variable === null ? (/['"`]((?:https?|wss?):\/\/[^'"`$\s/]+)/.exec(code)?.slice(1) ?? []) : [];
  const isUnknown = variable === null && own === null && names.length > 0;
  return {
    variable,
    own,
    unknown: isUnknown ? `its address may be in ${names.slice(0, 4).join(', ')}: let it take __ENV.BASE_URL` : null,
  };
}

/** Whole statements: the address of a module is not what a script sends to. */
const imports = /^[ \t]*(?:import\b(?:[^'"`;()]*?\bfrom)?|export\b[^'"`;()]*?\bfrom)\s*(['"])[^'"\n]+\1;?/gm;

/** @returns the variables that it takes, in their order */
function variablesIn(code: string): string[] {
  const taken = [...code.matchAll(/\b__ENV(?:\.([A-Za-z_]\w*)|\[['"]([A-Za-z_]\w*)['"]\])/g)].map(
    ([, dot, key]) => dot ?? key,
  );
  const destructured = [...code.matchAll(/\{([^{}]*)\}\s*=\s*__ENV\b/g)].flatMap(([, inside]) =>
    inside.split(',').flatMap((part) => /^\s*([A-Za-z_]\w*)/.exec(part)?.[1] ?? []),
  );
  return [...new Set([...taken, ...destructured])];
}
