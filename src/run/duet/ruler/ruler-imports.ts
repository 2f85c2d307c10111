import { dirname, resolve } from 'node:path';
import { isFile } from '../folder-files.js';

/** How a language names its other files: of which files it is, its pattern, endings that it leaves out. */
const languages: [RegExp, RegExp, string[]][] = [
  [
    /\.[cm]?[jt]sx?$/,
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])(?<name>\.{1,2}\/[^'"`\n]+)\1/g,
    ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.tsx', '.jsx', '.json', '/index.js', '/index.ts'],
  ],
  [/\.py$/, /^\s*(?:from|import)\s+(?<name>\.*[\w.]+)/gm, ['.py', '/__init__.py']],
  [/\.rb$/, /\b(?:require_relative|load)\s*\(?\s*(['"])(?<name>[^'"\n]+)\1/g, ['', '.rb']],
  [/\.php$/, /\b(?:require|include)(?:_once)?\b[^'"\n;]*(['"])\/?(?<name>[^'"\n]+)\1/g, ['']],
  [/\.pl$/, /\b(?:require|do)\s*(['"])(?<name>[^'"\n]+)\1/g, ['']],
];

/** @returns is it a program in one of these languages? */
export const hasImports = (file: string): boolean => languages.some(([kind]) => kind.test(file));

/**
 * @param text of a program
 * @param file where it is
 * @returns the files that it imports, absolute, as far as they are there
 */
export function importedFiles(text: string, file: string): string[] {
  const from = dirname(file);
  return languages
    .filter(([kind]) => kind.test(file))
    .flatMap(([, pattern, endings]) =>
      [...text.matchAll(pattern)].flatMap(({ groups }) => {
        const name = /\.py$/.test(file) ? pythonPath(String(groups?.name)) : String(groups?.name);
        return endings.map((ending) => resolve(from, name + ending)).filter(isFile);
      }),
    );
}

/** @param name "..lib.rows" */
function pythonPath(name: string): string {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  return `${dots > 1 ? '../'.repeat(dots - 1) : './'}${name.slice(dots).replaceAll('.', '/')}`;
}
