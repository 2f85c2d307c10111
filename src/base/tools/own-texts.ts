import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Programs that print what was judged, for people. */
const texts = [
  'report.txt.jq',
  'report.md.jq',
  'comment.md.jq',
  'junit.xml.jq',
  'calibration.txt.jq',
  'calibration.md.jq',
];

/** Where their parts are. */
const parts = join('lib', 'write');

/**
 * Does a suite print texts of its own? A file of ours, or a part of it, is overridden by one of the same name.
 * @param reports the suite's folder
 * @param program its name within reports/
 */
export const hasOwnText = (reports: string, program: string) =>
  texts.includes(program) && [program, parts].some((name) => existsSync(join(reports, name)));

/**
 * Lists programs and modules that a suite may not override: they reduce or judge, and what they say has to mean the same
 * everywhere.
 * @param reports the suite's folder
 * @returns by path from reports/, sorted
 */
export function refusedPrograms(reports: string): string[] {
  if (existsSync(join(reports, 'schema', 'version.js'))) return []; // Benchfolio itself, or a checkout of it
  const top = namesIn(reports, false).filter((name) => !texts.includes(name));
  const modules = ['lib', 'import'].flatMap((folder) =>
    namesIn(join(reports, folder), true).map((name) => join(folder, name)),
  );
  return [...top, ...modules.filter((name) => !name.startsWith(parts + sep))];
}

/** What to do about one. */
export const refusalHint = `Delete this file. Only texts can be your own: ${texts.join(', ')} and lib/write/.`;

/** @returns of jq's files; none where it is not there */
const namesIn = (folder: string, recursive: boolean): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jq'))
        .sort()
    : [];
