// Looks for English that nobody speaks, by Vale and the rules in test/prose: in the documentation, and in the hints of errors.
//
//   node test/make/prose.js   # make prose
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from '../support/cli.js';

/** @typedef {{ Line: number, Check: string, Message: string }} Alert as Vale prints it */

/** Files of the repository. @param {string[]} patterns as git takes them @returns {string[]} */
const filesOf = (...patterns) =>
  execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

/** The reference is made of schemas, whose descriptions are no sentences. */
const documents = filesOf('*.md', ':!CHANGELOG.md', ':!test', ':!src', ':!site/content/docs/reference', ':!.github');

/** A hint as it is written: what is filled in stands for a name. */
const hint = /\bhint:\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;

/** The hints in the code, each with its place. */
const hints = filesOf('src/*.ts').flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(hint)].map(({ 1: plain, 2: filled = plain, index }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    text: filled.replace(/\$\{[^}]*\}/g, 'X').replace(/\\(.)/g, '$1'),
  }));
});

/** Each rule begins with a sentence that it must find, as a comment. */
const rules = filesOf('test/prose/*.yml').map((file) => ({
  name: basename(file, '.yml'),
  example: /^# "(.*?)"/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? '',
}));

const folder = join(root, '.bench', 'prose');
mkdirSync(folder, { recursive: true });
const ofHints = join(folder, 'hints.md');
const ofRules = join(folder, 'rules.md');
writeFileSync(ofRules, rules.map(({ example }) => `${example}\n`).join('\n'));
writeFileSync(ofHints, hints.map(({ text }) => `${text}\n`).join('\n')); // a paragraph each, so that line 2n + 1 is hint n

const files = documents.map((file) => join(root, file));
const vale = ['-C', join(root, 'test', 'tools', 'vale'), 'tool', 'vale'];
const options = ['--no-global', '--config', join(root, 'test', 'prose', '.vale.ini'), '--output', 'JSON'];
const { status, stdout, stderr, error } = spawnSync('go', [...vale, ...options, ...files, ofHints, ofRules], {
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
    const place = file === ofHints ? hints[(Line - 1) / 2].place : `${relative(root, file)}:${Line}`;
    return `${place}: ${Message}`;
  }),
);
for (const line of found) console.error(line);
console.log(`${files.length} documents and ${hints.length} hints read, ${found.length} found`);
process.exitCode = found.length > 0 ? 1 : 0;
