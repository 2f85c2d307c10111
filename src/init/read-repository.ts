import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { parse } from 'yaml';

/** Sources that are looked through for a port, at the most, and how much of each. */
const most = { files: 200, bytes: 200_000, depth: 10 }; // Java's packages are deep

/** Folders without sources of the service itself. */
const skipped = new Set([
  'node_modules',
  'vendor',
  'venv',
  'site-packages',
  'dist',
  'build',
  'out',
  'target',
  'obj',
  'coverage',
  'public',
  'static',
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'docs',
  'example',
  'examples',
  'reports',
  'site',
]);
const sources = /\.(?:[cm]?[jt]s|go|py|java|kt|cs|rs|rb)$/;
const notSources =
  /\.(?:test|spec)\.[cm]?[jt]s$|\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|_(?:test|spec)\.(?:go|py|rb)$|Tests?\.(?:java|kt|cs)$|^test_/;

/**
 * @param bytes at the most: a longer text is cut off
 * @returns null: there is none, or it cannot be read
 */
export function textOf(file: string, bytes: number = most.bytes): string | null {
  try {
    if (!statSync(file).isFile()) return null;
    return readFileSync(file, 'utf8').slice(0, bytes);
  } catch {
    return null;
  }
}

/**
 * A source without its comments, which prove nothing. "/**" in quotes is a pattern, and #[…] an attribute of Rust.
 */
export function withoutComments(text: string) {
  const comment = /(?<![\w"'`])\/\*|^[^\S\r\n]*(?:\/\/|#(?!!?\[)).*$|\s\/\/ .*$/gm;
  const kept = [];
  let from = 0;
  let closes = true; // looked for once: without an end, no later one has one
  for (let found = comment.exec(text); found !== null; found = comment.exec(text)) {
    const block = found[0] === '/*';
    const close = block && closes ? text.indexOf('*/', comment.lastIndex) : -1;
    if (block && close < 0) {
      closes = false;
      continue;
    }
    kept.push(text.slice(from, found.index));
    from = block ? close + 2 : comment.lastIndex;
    comment.lastIndex = from;
  }
  return kept.join('') + text.slice(from);
}

/** Packages of Java may be called as they like: com.example. */
const isSkipped = (name: string, path: string) => skipped.has(name) && !/[\\/]src[\\/]main[\\/]/.test(path);

/** What is read of a package.json, which anybody may have written. */
export type PackageJson = {
  name?: unknown;
  main?: unknown;
  bin?: unknown;
  workspaces?: unknown;
  scripts: Record<string, unknown>;
  dependencies: Record<string, unknown>;
  devDependencies: Record<string, unknown>;
};

/** @returns empty: there is none, or it is not JSON */
export function packageIn(folder: string): PackageJson {
  const { scripts, dependencies, devDependencies, ...written } = jsonOf(join(folder, 'package.json'));
  return {
    ...written,
    scripts: tableOf(scripts),
    dependencies: tableOf(dependencies),
    devDependencies: tableOf(devDependencies),
  };
}

/** @returns empty: there is none, or it is not a JSON object */
export const jsonOf = (file: string): Record<string, unknown> => tableOf(tryParse(JSON.parse, textOf(file) ?? ''));

/** @returns null: it is not YAML */
export const yamlOf = (text: string): unknown => tryParse((written) => parse(written, { merge: true }), text);

/** @returns null: it is something else */
export function tryParse(parser: (text: string) => unknown, text: string): unknown {
  try {
    return parser(text);
  } catch {
    return null;
  }
}

/** @returns empty: it is not a table */
export const tableOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** @returns in the order of their names */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The file that a path means to Node.js: with an extension of its own, or an index in it. */
export function moduleAt(path: string): string | null {
  const ends = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '/index.js', '/index.mjs', '/index.ts'];
  const typed = path.replace(/\.([cm]?)js$/, '.$1ts'); // TypeScript imports by the name of what it becomes
  return [...ends.map((end) => path + end), typed].find((file) => textOf(file) !== null) ?? null;
}

/** A file and all that it imports from beside it, nearest first. */
export function withImports(entry: string): string[] {
  const found = [entry];
  for (let i = 0; i < found.length && found.length < most.files; i += 1) {
    if (!/\.[cm]?[jt]s$/.test(found[i]) && extname(found[i]) !== '') continue;
    const imports = (textOf(found[i]) ?? '').matchAll(
      /(?:\bfrom|\bimport|\brequire\()\s*(?:\(\s*)?['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/g,
    );
    const files = [...imports].map(([, path]) => moduleAt(resolve(dirname(found[i]), path)));
    found.push(
      ...files
        .filter((file) => file !== null)
        .filter((file, at, all) => !found.includes(file) && all.indexOf(file) === at),
    );
  }
  return found;
}

/**
 * The sources in a folder, those nearest to it first.
 * @param ends of those that are looked for
 */
export function sourcesIn(folder: string, ends: RegExp = sources): string[] {
  const isSource = (name: string) => ends.test(name) && !notSources.test(name);
  const found: string[] = [];
  let level = [folder];
  for (let depth = 0; depth < most.depth && level.length > 0 && found.length < most.files; depth += 1) {
    const entries = level.flatMap((at) => entriesOf(at).map((entry) => ({ entry, path: join(at, entry.name) })));
    found.push(...entries.filter(({ entry }) => entry.isFile() && isSource(entry.name)).map(({ path }) => path));
    level = entries
      .filter(({ entry, path }) => entry.isDirectory() && !entry.name.startsWith('.') && !isSkipped(entry.name, path))
      .map(({ path }) => path);
  }
  return found.slice(0, most.files);
}
