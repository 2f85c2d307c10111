import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { filesIn, isFile } from '../folder-files.js';
import { isWithin } from '../foreign-files.js';
import { assignmentsOf, includesOf, rulesFor } from './makefile.js';
import { hasImports, importedFiles } from './ruler-imports.js';

/**
 * What the steps before a load read: the files that their commands name, what these name, import or source in turn, the scripts
 * of package.json and the targets of a Makefile that they run. Each language names files in its own way; what one makes of
 * pieces cannot be followed. cwd: absolute
 */
type Step = { words: readonly string[]; cwd: string };

/** files: absolute; texts: parts of files by what they are; opaque: commands of which nothing could be followed */
type Followed = { files: Set<string>; texts: Map<string, string>; opaque: Set<string> };

/**
 * top: the repository's folder, which nothing leads out of; folder: the spec's; cwd: where the command runs; programs: files
 * that services are started with, which are no part of a step
 */
type Trail = { top: string; folder: string; cwd: string; programs: ReadonlySet<string>; followed: Followed };

/** A text that is longer is data: it is compared, and names nothing. */
const longest_bytes = 1_000_000;

/** What others made, or a build leaves. */
const foreign = /(^|\/)(node_modules|\.git|\.bench|\.venv|venv|__pycache__|site-packages|vendor)(\/|$)/;

/** Programs that read no more than their words say. */
const plain =
  /^(\.|source|cat|cd|chmod|cp|createdb|createuser|curl|cut|docker|dropdb|echo|env|exit|export|false|find|grep|head|ln|ls|mkdir|mktemp|mv|mysql|nc|node|perl|php|printf|psql|pg_restore|python[\d.]*|redis-cli|rm|rmdir|ruby|sed|seq|set|sh|bash|dash|zsh|sleep|sort|sqlite3|tail|tar|tee|test|\[|touch|tr|true|wc|wget|xargs|yes)$/;

/** Where a runner of tasks has them. Those of builds (pom.xml, pyproject.toml) are the product's, with what it depends on. */
const taskFiles: Record<string, string[]> = {
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  composer: ['composer.json'],
  deno: ['deno.json', 'deno.jsonc'],
  invoke: ['tasks.py'],
};

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const packageManager = /^(npm|npx|yarn|pnpm|bun)$/;
const packageSettings = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmrc'];
const separators = /[\s=<>|;&"'`()@,]+/;

/** Follows steps. */
export function followSteps(
  steps: readonly Step[],
  { top, folder, programs = new Set() }: { top: string; folder: string; programs?: ReadonlySet<string> },
): Followed {
  const followed: Followed = { files: new Set(), texts: new Map(), opaque: new Set() };
  const trail = { top, folder, cwd: folder, programs, followed };
  for (const step of steps) {
    const known = followed.files.size + followed.texts.size;
    followWords(step, trail);
    const [program = ''] = step.words;
    if (followed.files.size + followed.texts.size === known && !plain.test(basename(program)))
      followed.opaque.add(step.words.join(' '));
  }
  return followed;
}

/**
 * Follows only the scripts of package.json and the targets of a Makefile that commands run, and not the programs themselves: of
 * what starts a service, these are what is written beside the product.
 * @returns their texts, by what they are
 */
export function followStarts(
  commands: readonly Step[],
  { top, folder }: { top: string; folder: string },
): Map<string, string> {
  const followed: Followed = { files: new Set(), texts: new Map(), opaque: new Set() };
  for (const { words, cwd } of commands)
    for (const line of linesOf(words))
      followRunner(line, cwd, { top, folder, cwd, programs: new Set(), followed }, false);
  return followed.texts;
}

function followWords({ words, cwd }: Step, before: Trail) {
  const trail = { ...before, cwd };
  const parts = words
    .map((word) => word.replaceAll('${spec.dir}', trail.folder))
    .flatMap((word) => [word, ...word.split(separators)]);
  for (const part of new Set(parts)) addNamed(part, [cwd, trail.folder], trail);
  for (const line of linesOf(words)) followRunner(line, cwd, trail, true);
}

/** The commands within a command: "sh -c 'a && b'" has two. */
const linesOf = (words: readonly string[]): string[][] =>
  [words.join(' '), ...words.filter((word) => /\s/.test(word))].flatMap((text) =>
    text.split(/&&|\|\||[;|\n]/).map((line) =>
      line
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '' && !/^\w+=/.test(word)),
    ),
  );

/** @param deep follow what the scripts name, too */
function followRunner(words: string[], cwd: string, trail: Trail, deep: boolean) {
  // "sh -c npm run seed" and "exec npm start" run it, too
  const at = words.findIndex((word) => runs(basename(word)));
  if (at < 0) return;
  const [program, ...rest] = words.slice(at);
  const name = basename(program);
  if (packageManager.test(name)) followScripts(rest, cwd, trail, deep);
  else if (/^g?make$/.test(name)) followMake(rest, cwd, trail, deep);
  else if (deep) for (const file of taskFiles[name] ?? []) addText(upward(file, cwd, trail.top), trail);
}

const runs = (name: string) => packageManager.test(name) || /^g?make$/.test(name) || name in taskFiles;

/** @param words after npm */
function followScripts(words: string[], cwd: string, trail: Trail, deep: boolean) {
  const prefix = words.findIndex((word) => ['--prefix', '-C', '--cwd', '--dir'].includes(word));
  const from = prefix < 0 ? cwd : resolve(cwd, words[prefix + 1] ?? '.');
  const file = upward('package.json', from, trail.top);
  if (file === null) return;
  for (const name of packageSettings)
    for (const at of new Set([dirname(file), trail.top])) addText(join(at, name), trail);
  const scripts = scriptsOf(file);
  const names = words
    .flatMap((word) => [`pre${word}`, word, `post${word}`])
    .filter((name) => Object.hasOwn(scripts, name));
  for (const name of names) {
    const key = `script ${name} of ${relative(trail.folder, file)}`;
    if (trail.followed.texts.has(key)) continue;
    trail.followed.texts.set(key, scripts[name]);
    const step = { words: [scripts[name]], cwd: dirname(file) };
    if (deep) followWords(step, trail);
    else for (const line of linesOf(step.words)) followRunner(line, step.cwd, trail, deep);
  }
}

function scriptsOf(file: string): Record<string, string> {
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.fromEntries(Object.entries<string>(Object(scripts)).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/** @param words after make */
function followMake(words: string[], cwd: string, trail: Trail, deep: boolean) {
  const after = (options: string[]) => {
    const at = words.findIndex((word) => options.includes(word));
    return at < 0 ? null : (words[at + 1] ?? null);
  };
  const folder = resolve(cwd, after(['-C', '--directory']) ?? '.');
  const named = after(['-f', '--file', '--makefile']);
  const file = (named === null ? makefiles : [named]).map((name) => join(folder, name)).find((path) => isFile(path));
  if (!file || !isWithin(file, trail.top)) return;
  const text = readFileSync(file, 'utf8');
  if (!deep) return addTargets(text, words, file, trail);
  addText(file, trail);
  for (const name of includesOf(text)) addText(resolve(folder, name), trail);
  for (const { recipe } of rulesFor(words, text).values())
    for (const line of recipe) followWords({ words: [line.replace(/^[@+-]+/, '')], cwd: folder }, trail);
}

/**
 * Of a Makefile that starts or builds a product, only what is run: its other targets are nobody's benchmark.
 * @param words after make
 */
function addTargets(text: string, words: string[], file: string, { folder, followed }: Trail) {
  const assigned = assignmentsOf(text);
  for (const [name, { needs, recipe }] of rulesFor(words, text))
    followed.texts.set(`script ${name} of ${relative(folder, file)}`, [...assigned, ...needs, ...recipe].join('\n'));
}

function upward(name: string, from: string, top: string): string | null {
  for (let folder = from; isWithin(folder, top); folder = dirname(folder)) {
    if (isFile(join(folder, name))) return join(folder, name);
    if (folder === top) break;
  }
  return null;
}

/**
 * Takes a file for a text to be compared, whose words are not followed.
 * @returns it is one
 */
function addText(file: string | null, { top, folder, followed }: Trail): boolean {
  if (file === null || !isFile(file) || !isWithin(file, top)) return false;
  followed.texts.set(relative(folder, file), readFileSync(file, 'utf8'));
  return true;
}

/**
 * Adds what a word names: a file, or all files of a folder in the spec's.
 * @param folders where it may be
 */
function addNamed(word: string, folders: readonly string[], trail: Trail) {
  if (word === '') return;
  for (const from of folders) {
    const path = resolve(from, word);
    if (isFile(path)) return void addFile(path, trail);
    if (!path.startsWith(`${trail.folder}/`)) continue;
    for (const file of filesIn(path) ?? []) addFile(file, trail);
  }
}

function addFile(file: string, trail: Trail) {
  const { followed, top, programs } = trail;
  if (followed.files.has(file) || foreign.test(relative(top, file)) || !isWithin(file, top)) return;
  followed.files.add(file);
  if (programs.has(file) || statSync(file).size > longest_bytes) return;
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0')) return;
  followText(text, file, trail);
}

function followText(text: string, file: string, trail: Trail) {
  const from = dirname(file);
  if (/\.(sh|bash|zsh)$/.test(file) || /^#!.*\b(ba|da|z)?sh\b/.test(text)) {
    for (const line of text.split('\n').filter((text) => !/^\s*#/.test(text))) {
      for (const word of line.split(separators)) {
        const path = word.replace(/^(\$\{?\w+\}?|\$0|\.)\//, './'); // "$(dirname "$0")/x", "$here/x"
        for (const name of new Set([word, path, path.replace(/^\/+/, '')])) addScriptWord(name, from, trail);
      }
      for (const words of linesOf([line])) followRunner(words, from, trail, true);
    }
    return;
  }
  if (!hasImports(file)) return;
  for (const path of importedFiles(text, file)) addFile(path, trail);
  for (const [, , quoted] of text.matchAll(/(['"`])((?:(?!\1)[^\n\\]){1,300})\1/g))
    for (const word of new Set([quoted, ...quoted.split(separators)])) addScriptWord(word, from, trail);
}

/** A word of a program that names a file, and not the service itself. */
function addScriptWord(word: string, from: string, trail: Trail) {
  if (!/[./]/.test(word) || /^[./~]*$/.test(word) || extname(word) === word) return;
  for (const path of new Set([resolve(from, word), resolve(trail.cwd, word)])) {
    if (trail.programs.has(path)) continue;
    if (isFile(path)) addFile(path, trail);
    else if (path.startsWith(`${trail.folder}/`)) for (const file of filesIn(path) ?? []) addFile(file, trail);
  }
}
