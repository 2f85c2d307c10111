import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Static imports and exports, at the start of a line: what stands in comments is left out. */
const imported = /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<from>\.\.?\/[^'"\n]*)\1/gm;

/** The same, of any module. */
const anyImported = /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<from>[^'"\n]+)\1/gm;

/** What a script reads when it starts. */
const opened = /\bopen\(\s*(['"`])(?<from>\.\.?\/[^'"`\n]*)\1/g;

/** Our package, in a script's imports. @param {string} path */
const isOurs = (path) => /(?:^|\/)(?:node_modules|\.bench)\/benchfolio\//.test(path);

/**
 * The files that a script names in its imports, as it writes them.
 * @param {string} file absolute
 * @returns {string[]} relative to its folder; packages and addresses are left out
 */
export const importsOf = (file) => namesIn(readFileSync(file, 'utf8'), imported);

/**
 * All that a script names in its imports, as it writes them: files, modules of k6, packages, addresses.
 * @param {string} file absolute
 */
export const modulesOf = (file) => namesIn(readFileSync(file, 'utf8'), anyImported);

/** k6's module that drives a browser. @param {string} module */
export const isBrowser = (module) => /^k6\/(?:experimental\/)?browser$/.test(module);

/** Why a script that drives a browser is none of ours. */
export const browserText = "browser scenarios are not measured: most of a page's time is the browser's own";

/** @param {string} text @param {RegExp} pattern */
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(({ groups }) => String(groups?.from));

/**
 * Lists the files that make up what a script sends: itself, what it imports and opens, and what these do.
 * @param {string} script absolute
 * @returns {string[]} absolute, those that are there; without our package's
 */
export function filesOfScript(script) {
  const seen = new Set([script]);
  for (const file of seen) {
    if (!/\.[cm]?[jt]s$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    for (const from of [...namesIn(text, imported), ...namesIn(text, opened)]) {
      const target = join(dirname(file), from);
      if (!isOurs(target) && statSync(target, { throwIfNoEntry: false })?.isFile()) seen.add(target);
    }
  }
  return [...seen];
}

/**
 * Whether a script knows nothing of us: neither it nor what it imports takes anything from our package.
 * @param {string} script absolute
 */
export const isPlainScript = (script) =>
  filesOfScript(script)
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .every((file) => !importsOf(file).some((from) => isOurs(join(dirname(file), from))));
