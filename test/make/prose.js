// Looks for English that nobody speaks, by Vale and the rules in test/prose: in the documentation, and in the sentences and
// comments of the code.
//
//   node test/make/prose.js   # make prose
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from '../support/cli.js';

/** @typedef {{ Line: number, Check: string, Message: string }} Alert as Vale prints it */
/** @typedef {{ place: string, text: string }} Sentence place: file:line */

/** Files of the repository. @param {string[]} patterns as git takes them @returns {string[]} */
const filesOf = (...patterns) =>
  execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

/** The reference is made of schemas, whose descriptions are no sentences. */
const documents = filesOf('*.md', ':!CHANGELOG.md', ':!test', ':!src', ':!site/content/docs/reference', ':!.github');

/** A text in quotes of a line, or of several: what is filled in is a name. */
const quoted = /(?<![\w'`])(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)")/g;
/** A comment of several lines, or lines of comments. */
const commented = /\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/ ?(.*(?:\n[ \t]*\/\/ .*)*)/g;
/** Where a comment has another sentence: a tag, an item of a list, a paragraph. */
const parts =
  /\n\s*\n|\n(?=- )|@(?:param|returns|throws|template|typedef|property)\b(?: \{[^\n]*\})?(?: \[?[\w.]+\]?)?/;

/** @param {string} text */
const wordsIn = (text) => text.match(/[A-Za-z]{2,}/g)?.length ?? 0;

/**
 * What people read in a file of code.
 * @param {string} file
 * @returns {Sentence[]}
 */
function sentencesIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const placed = (/** @type {number} */ index, /** @type {string} */ sentence) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    text: sentence.replace(/\s+/g, ' ').trim(),
  });
  const messages = [...text.matchAll(quoted)].map(({ 1: plain, 2: filled = plain, 3: other = filled, index }) =>
    placed(index, other.replace(/\$\{[^}]*\}/g, 'X').replace(/\\(.)/g, '$1')),
  );
  const comments = [...text.matchAll(commented)].flatMap(({ 1: block, 2: lines = block, index }) =>
    lines
      .replace(/^[ \t]*(?:\*|\/\/) ?/gm, '')
      .split(parts)
      .map((part) => placed(index, part)),
  );
  return [...messages, ...comments].filter((sentence) => wordsIn(sentence.text) >= 4);
}

const sentences = filesOf('src/*.ts', 'k6/*.js', 'site/assets/js/*.js').flatMap(sentencesIn);

/** Each rule begins with a sentence that it must find, as a comment. */
const rules = filesOf('test/prose/*.yml').map((file) => ({
  name: basename(file, '.yml'),
  example: /^# "(.*?)"/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? '',
}));

const folder = join(root, '.bench', 'prose');
mkdirSync(folder, { recursive: true });
const ofCode = join(folder, 'code.md');
const ofRules = join(folder, 'rules.md');
writeFileSync(ofRules, rules.map(({ example }) => `${example}\n`).join('\n'));
writeFileSync(ofCode, sentences.map(({ text }) => `${text}\n`).join('\n')); // a paragraph each, so that line 2n + 1 is sentence n

const files = documents.map((file) => join(root, file));
const vale = ['-C', join(root, 'test', 'tools', 'vale'), 'tool', 'vale'];
const options = ['--no-global', '--config', join(root, 'test', 'prose', '.vale.ini'), '--output', 'JSON'];
const { status, stdout, stderr, error } = spawnSync('go', [...vale, ...options, ...files, ofCode, ofRules], {
  encoding: 'utf8',
  maxBuffer: 64 << 20,
});
if (error || status === null || status > 1 || !stdout.trim().startsWith('{'))
  throw error ?? new Error(`vale failed (${status}): ${stderr}${stdout}`);

const { [ofRules]: inRules = [], ...alertsIn } = /** @type {Record<string, Alert[]>} */ (JSON.parse(stdout));
const silent = rules.filter(
  ({ name }, i) => !inRules.some(({ Line, Check }) => Line === 2 * i + 1 && Check === `Plain.${name}`),
);
if (silent.length > 0) throw new Error(`not found by its rule: ${silent.map(({ example }) => example).join(' ')}`);

const found = Object.entries(alertsIn).flatMap(([file, alerts]) =>
  alerts.map(({ Line, Message }) => {
    if (file !== ofCode) return `${relative(root, file)}:${Line}: ${Message}`;
    const { place, text } = sentences[(Line - 1) / 2];
    return `${place}: ${Message} In: ${text.slice(0, 100)}`;
  }),
);
for (const line of found) console.error(line);
console.log(`${files.length} documents and ${sentences.length} sentences of the code read, ${found.length} found`);
process.exitCode = found.length > 0 ? 1 : 0;
