import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Static imports and exports, at the start of a line: comments are left out. */
const imported = /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<from>\.\.?\/[^'"\n]*)\1/gm;

/** The same, of any module. */
const anyImported = /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<from>[^'"\n]+)\1/gm;

/** What a script reads when it starts. */
const opened = /\bopen\(\s*(['"`])(?<from>\.\.?\/[^'"`\n]*)\1/g;

/** Our package, in a script's imports. */
const isOurs = (path: string) => /(?:^|\/)(?:node_modules|\.bench)\/benchfolio\//.test(path);

/**
 * The files that a script names in its imports, as it writes them.
 * @param file absolute
 * @returns relative to its folder; packages and addresses are left out
 */
export const importsOf = (file: string): string[] => namesIn(readFileSync(file, 'utf8'), imported);

/**
 * All that a script names in its imports, as it writes them: files, modules of k6, packages, addresses.
 * @param file absolute
 */
export const modulesOf = (file: string) => namesIn(readFileSync(file, 'utf8'), anyImported);

/** k6's module that drives a browser. */
export const isBrowser = (module: string) => /^k6\/(?:experimental\/)?browser$/.test(module);

/** Why a script that drives a browser is none of ours. */
export const browserText = "browser scenarios are not measured: most of a page's time is the browser's own";

const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ groups }) => String(groups?.from));

/**
 * Lists the files that make up what a script sends: itself, what it imports and opens, and what these do.
 * @param script absolute
 * @returns absolute, those that are there; without our package's
 */
export function filesOfScript(script: string): string[] {
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
 * @param script absolute
 */
export const isPlainScript = (script: string) =>
  filesOfScript(script)
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .every((file) => !importsOf(file).some((from) => isOurs(join(dirname(file), from))));
