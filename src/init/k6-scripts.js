import { basename, extname, join, relative } from 'node:path';
import { entriesOf, textOf, withImports, withoutComments } from './read.js';
import { nameForm } from './repository.js';

/**
 * A k6 script of the repository. variable: in which it looks for its address, where that is not BASE_URL.
 * @typedef {{ name: string, file: string, variable: string | null }} SeenScript file: absolute
 */

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

/** Scripts that become scenarios, folders down, and files that are read. */
const most = { scripts: 10, depth: 4, files: 3000 };

/**
 * Looks for k6 scripts: files that take something from k6 and say what an iteration or the load is.
 * @param {string} folder
 * @returns {{ scripts: SeenScript[], seen: string[], unsure: string[] }}
 */
export function k6ScriptsIn(folder) {
  const all = sourcesIn(folder).filter(isScript);
  const chosen = all.slice(0, most.scripts);
  /** @type {SeenScript[]} */
  const scripts = [];
  const unsure = [];
  for (const file of chosen) {
    const name = nameOf(file, folder, [...scripts.map((script) => script.name), 'steady']);
    const { variable, own } = addressIn(file);
    if (own !== null) {
      unsure.push(
        `${relative(folder, file)} sends to ${own}: let it take __ENV.BASE_URL, or it is refused before its load`,
      );
    }
    scripts.push({ name, file, variable });
  }
  if (all.length > most.scripts) unsure.push(`${all.length - most.scripts} more k6 scripts are not scenarios yet`);
  const files = scripts.map(({ file }) => relative(folder, file));
  return {
    scripts,
    unsure,
    seen:
      files.length === 0
        ? []
        : [
            `${files.join(', ')}: ${files.length === 1 ? 'a k6 script, a scenario' : 'k6 scripts, scenarios'} as ${files.length === 1 ? 'it is' : 'they are'}`,
          ],
  };
}

/** @param {string} folder @returns {string[]} nearest first */
function sourcesIn(folder) {
  let level = [folder];
  /** @type {string[]} */
  const found = [];
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

/** @param {string} file */
function isScript(file) {
  const text = textOf(file);
  if (text === null || !/\bfrom\s+['"]k6(?:\/[\w/-]+)?['"]/.test(text)) return false;
  const code = withoutComments(text);
  return (
    /^\s*export\s+default\b/m.test(code) || /^\s*export\s+(?:const|let|var)\s+options\b[\s\S]*\bexec\s*:/m.test(code)
  );
}

/**
 * @param {string} file
 * @param {string} folder
 * @param {string[]} taken
 * @returns {string}
 */
function nameOf(file, folder, taken) {
  const plain = (/** @type {string} */ text) =>
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
 * @param {string} file
 * @returns {{ variable: string | null, own: string | null }} own: an address that its text alone decides
 */
function addressIn(file) {
  const code = withImports(file)
    .map((script) => withoutComments(textOf(script) ?? ''))
    .join('\n');
  const names = [...code.matchAll(/\b__ENV(?:\.([A-Za-z_]\w*)|\[['"]([A-Za-z_]\w*)['"]\])/g)].map(
    ([, dot, key]) => dot ?? key,
  );
  if (names.includes('BASE_URL')) return { variable: null, own: null };
  const variable = names.find((name) => /URL|BASE|TARGET|ENDPOINT|ORIGIN|SERVER|API$/i.test(name)) ?? null;
  const [own = null] = /['"`]((?:https?|wss?):\/\/[^'"`$\s/]+)/.exec(code)?.slice(1) ?? [];
  return { variable, own: variable === null ? own : null };
}
