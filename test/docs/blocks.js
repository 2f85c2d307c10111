// What a document has in fences, and what the comments directly above a fence say of it. Readers do not see them:
//
//   <!-- run in: an empty folder -->   once, first: where its commands run, see places.js
//   <!-- file: server.js -->           the fence is that file, written there
//   <!-- append: specs/x/spec.toml --> the fence is added to that file
//   <!-- exit: 1 -->                   how its last command ends, where that is not 0; `0 or 3` where either is right
//   <!-- output: regular expression --> what its commands print
//   <!-- printed -->                   a fence of text: each of its lines is printed by the commands before it, with other
//                                      numbers; … stands for what was left out
//   <!-- run by: make smoke -->        .ci/run or .ci/live has a stage with that command; or several, with commas between
//   <!-- not run: why -->
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseToml } from '../../dist/suite/cases/toml.js';
import { root } from '../support/cli.js';

/** @returns {string[]} the documents: all that tells somebody what to type */
export function documents() {
  const systems = readdirSync(join(root, 'specs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const pages = readdirSync(join(root, 'site', 'content'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return [
    'README.md',
    'CONTRIBUTING.md',
    ...systems.map(({ name }) => `specs/${name}/README.md`),
    ...pages.sort().map((name) => `site/content/${name}`),
  ];
}

/** line: of its first mark, or its own. @typedef {{ line: number, language: string, text: string, marks: Record<string, string> }} Block */

const known = ['file', 'append', 'exit', 'output', 'printed', 'run by', 'not run'];
/** Commands are sh, by no other name. */
const languages = ['sh', 'text', 'toml', 'js', 'json', 'yaml', 'md'];

/**
 * @param {string} text a document
 * @returns {{ place: string | null, blocks: Block[] }}
 * @throws {Error} with the line, where something would slip through
 */
export function readDocument(text) {
  const lines = text.split('\n');
  /** @type {Block[]} */
  const blocks = [];
  let place = null;
  /** @type {Block | null} what the marks so far are for */
  let next = null;
  for (let at = 0; at < lines.length; at += 1) {
    const fail = (/** @type {string} */ what) => {
      throw new Error(`line ${at + 1}: ${what}`);
    };
    const [, key, value = ''] = /^\s*<!-- ([a-z ]+?)(?:: (.*))? -->$/.exec(lines[at]) ?? [];
    const [, indent, ticks, language] = /^( *)(```+)(\w*)$/.exec(lines[at]) ?? [];
    if (key === 'run in') place = value;
    else if (key !== undefined) {
      if (!known.includes(key)) fail(`no mark is called "${key}"`);
      if (value === '' && key !== 'printed') fail(`"${key}" says nothing`);
      next ??= { line: at + 1, language: '', text: '', marks: {} };
      next.marks[key] = value;
    } else if (ticks !== undefined) {
      const end = lines.indexOf(`${indent}${ticks}`, at + 1);
      if (end < 0) fail('this fence does not end');
      const inside = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
      blocks.push({ line: at + 1, marks: {}, ...next, language, text: `${inside.join('\n')}\n` });
      [next, at] = [null, end];
    } else if (/^\s*(```|~~~)/.test(lines[at])) fail('a fence begins with ``` and its language, and nothing else');
    else if (next) fail('a mark stands directly above its fence');
    else if (/^ {4}/.test(lines[at]) && lines[at - 1] === '') fail('code stands in a fence with its language');
  }
  for (const block of blocks) refuse(block, place);
  return { place, blocks };
}

/** @param {Block} block @param {string | null} place */
function refuse({ line, language, text, marks }, place) {
  const fail = (/** @type {string} */ what) => {
    throw new Error(`line ${line}: ${what}`);
  };
  const has = (/** @type {string[]} */ ...names) => names.some((name) => name in marks);
  if (!languages.includes(language)) fail(`a fence is of ${languages.join(', ')}, not "${language}"`);
  if (language !== 'sh' && has('exit', 'output', 'run by', 'not run')) fail('only commands are run');
  if (language !== 'text' && has('printed')) fail('what is printed is text');
  if (place === null && (has('file', 'append', 'printed') || isRun({ language, marks })))
    fail('nothing says where its commands run');
  if (language === 'toml' && !has('append')) parseToml(text);
  if (language === 'json') JSON.parse(text);
}

/** Does it ask for a folder? @param {Block} block */
export const isDone = (block) => isRun(block) || 'file' in block.marks || 'append' in block.marks;

/** Does it measure something, or needs what was measured? @param {Block} block @returns {boolean} */
export const measures = (block) =>
  isRun(block) &&
  /\b(benchfolio|bin\.js) (run|duet|find|calibrate|keep|report|compare|demo|generate)\b|\bk6 run\b|^make /m.test(
    block.text,
  );

/** Is it commands that are to be run? @param {Pick<Block, 'language' | 'marks'>} block @returns {boolean} */
export const isRun = ({ language, marks }) =>
  language === 'sh' && !['file', 'append', 'run by', 'not run'].some((name) => name in marks);
