import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { filesIn, isFile } from '../folder-files.js';
import { isWithin } from '../foreign-files.js';
import { assignmentsOf, includesOf, rulesFor } from './makefile.js';
import { hasImports, importedFiles } from './ruler-imports.js';

/**
 * What the steps before a load read: the files that their commands name, what these name, import or source in turn, the scripts of
 * package.json and the targets of a Makefile that they run. Each language names files in its own way; what one makes of pieces cannot
 * be followed.
 *
 * @typedef {{ words: readonly string[], cwd: string }} Step cwd: absolute
 * @typedef {{ files: Set<string>, texts: Map<string, string>, opaque: Set<string> }} Followed files: absolute; texts: parts of
 *   files by what they are; opaque: commands of which nothing could be followed
 * @typedef {{ top: string, folder: string, cwd: string, programs: ReadonlySet<string>, followed: Followed }} Trail top: the
 *   repository's folder, which nothing leads out of; folder: the spec's; cwd: where the command runs; programs: files that services are
 *   started with, which are no part of a step
 */

/** A text that is longer is data: it is compared, and names nothing. */
const longest_bytes = 1_000_000;

/** What others made, or a build leaves. */
const foreign = /(^|\/)(node_modules|\.git|\.bench|\.venv|venv|__pycache__|site-packages|vendor)(\/|$)/;

/** Programs that read no more than their words say. */
const plain =
  /^(\.|source|cat|cd|chmod|cp|createdb|createuser|curl|cut|docker|dropdb|echo|env|exit|export|false|find|grep|head|ln|ls|mkdir|mktemp|mv|mysql|nc|node|perl|php|printf|psql|pg_restore|python[\d.]*|redis-cli|rm|rmdir|ruby|sed|seq|set|sh|bash|dash|zsh|sleep|sort|sqlite3|tail|tar|tee|test|\[|touch|tr|true|wc|wget|xargs|yes)$/;

/** Where a runner of tasks has them. Those of builds (pom.xml, pyproject.toml) are the product's, with what it depends on. @type {Record<string, string[]>} */
const taskFiles = {
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

/**
 * Follows steps.
 * @param {readonly Step[]} steps
 * @param {{ top: string, folder: string, programs?: ReadonlySet<string> }} where
 * @returns {Followed}
 */
export function followSteps(steps, { top, folder, programs = new Set() }) {
  /** @type {Followed} */
  const followed = { files: new Set(), texts: new Map(), opaque: new Set() };
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
 * @param {readonly Step[]} commands
 * @param {{ top: string, folder: string }} where
 * @returns {Map<string, string>} their texts, by what they are
 */
export function followStarts(commands, { top, folder }) {
  /** @type {Followed} */
  const followed = { files: new Set(), texts: new Map(), opaque: new Set() };
  for (const { words, cwd } of commands)
    for (const line of linesOf(words))
      followRunner(line, cwd, { top, folder, cwd, programs: new Set(), followed }, false);
  return followed.texts;
}

/** @param {Step} step @param {Trail} before */
function followWords({ words, cwd }, before) {
  const trail = { ...before, cwd };
  const parts = words
    .map((word) => word.replaceAll('${spec.dir}', trail.folder))
    .flatMap((word) => [word, ...word.split(separators)]);
  for (const part of new Set(parts)) addNamed(part, [cwd, trail.folder], trail);
  for (const line of linesOf(words)) followRunner(line, cwd, trail, true);
}

/**
 * The commands within a command: "sh -c 'a && b'" has two.
 * @param {readonly string[]} words
 * @returns {string[][]}
 */
const linesOf = (words) =>
  [words.join(' '), ...words.filter((word) => /\s/.test(word))].flatMap((text) =>
    text.split(/&&|\|\||[;|\n]/).map((line) =>
      line
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '' && !/^\w+=/.test(word)),
    ),
  );

/**
 * @param {string[]} words
 * @param {string} cwd
 * @param {Trail} trail
 * @param {boolean} deep follow what the scripts name, too
 */
function followRunner(words, cwd, trail, deep) {
  // "sh -c npm run seed" and "exec npm start" run it, too
  const at = words.findIndex((word) => runs(basename(word)));
  if (at < 0) return;
  const [program, ...rest] = words.slice(at);
  const name = basename(program);
  if (packageManager.test(name)) followScripts(rest, cwd, trail, deep);
  else if (/^g?make$/.test(name)) followMake(rest, cwd, trail, deep);
  else if (deep) for (const file of taskFiles[name] ?? []) addText(upward(file, cwd, trail.top), trail);
}

/** @param {string} name */
const runs = (name) => packageManager.test(name) || /^g?make$/.test(name) || name in taskFiles;

/**
 * @param {string[]} words after npm
 * @param {string} cwd
 * @param {Trail} trail
 * @param {boolean} deep
 */
function followScripts(words, cwd, trail, deep) {
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

/** @param {string} file @returns {Record<string, string>} */
function scriptsOf(file) {
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.fromEntries(Object.entries(Object(scripts)).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/**
 * @param {string[]} words after make
 * @param {string} cwd
 * @param {Trail} trail
 * @param {boolean} deep
 */
function followMake(words, cwd, trail, deep) {
  const after = (/** @type {string[]} */ options) => {
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
 * @param {string} text
 * @param {string[]} words after make
 * @param {string} file
 * @param {Trail} trail
 */
function addTargets(text, words, file, { folder, followed }) {
  const assigned = assignmentsOf(text);
  for (const [name, { needs, recipe }] of rulesFor(words, text))
    followed.texts.set(`script ${name} of ${relative(folder, file)}`, [...assigned, ...needs, ...recipe].join('\n'));
}

/** @param {string} name @param {string} from @param {string} top @returns {string | null} */
function upward(name, from, top) {
  for (let folder = from; isWithin(folder, top); folder = dirname(folder)) {
    if (isFile(join(folder, name))) return join(folder, name);
    if (folder === top) break;
  }
  return null;
}

/**
 * Takes a file for a text to be compared, whose words are not followed.
 * @param {string | null} file
 * @param {Trail} trail
 * @returns {boolean} it is one
 */
function addText(file, { top, folder, followed }) {
  if (file === null || !isFile(file) || !isWithin(file, top)) return false;
  followed.texts.set(relative(folder, file), readFileSync(file, 'utf8'));
  return true;
}

/**
 * Adds what a word names: a file, or all files of a folder in the spec's.
 * @param {string} word
 * @param {readonly string[]} folders where it may be
 * @param {Trail} trail
 */
function addNamed(word, folders, trail) {
  if (word === '') return;
  for (const from of folders) {
    const path = resolve(from, word);
    if (isFile(path)) return void addFile(path, trail);
    if (!path.startsWith(`${trail.folder}/`)) continue;
    for (const file of filesIn(path) ?? []) addFile(file, trail);
  }
}

/** @param {string} file @param {Trail} trail */
function addFile(file, trail) {
  const { followed, top, programs } = trail;
  if (followed.files.has(file) || foreign.test(relative(top, file)) || !isWithin(file, top)) return;
  followed.files.add(file);
  if (programs.has(file) || statSync(file).size > longest_bytes) return;
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0')) return;
  followText(text, file, trail);
}

/** @param {string} text @param {string} file @param {Trail} trail */
function followText(text, file, trail) {
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

/**
 * A word of a program that names a file, and not the service itself.
 * @param {string} word
 * @param {string} from
 * @param {Trail} trail
 */
function addScriptWord(word, from, trail) {
  if (!/[./]/.test(word) || /^[./~]*$/.test(word) || extname(word) === word) return;
  for (const path of new Set([resolve(from, word), resolve(trail.cwd, word)])) {
    if (trail.programs.has(path)) continue;
    if (isFile(path)) addFile(path, trail);
    else if (path.startsWith(`${trail.folder}/`)) for (const file of filesIn(path) ?? []) addFile(file, trail);
  }
}
