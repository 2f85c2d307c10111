import { styleText } from 'node:util';

/** @import { Output } from '../../base/world.js' */

/**
 * @typedef {object} Problem
 * @property {string} file relative to the suite
 * @property {number | null} line null: about the file as a whole
 * @property {number | null} column
 * @property {number | null} length
 * @property {'error' | 'warn' | 'info'} level
 * @property {string} message what is wrong
 * @property {string | null} hint what to do
 */

const labels = { error: 'error', warn: 'warning', info: 'note' };
const colors = /** @type {const} */ ({ error: 'red', warn: 'yellow', info: 'cyan' });

/** More of a long line is not shown. */
const widest = 140;

/**
 * A problem as a compiler shows it: the sentence, the place, the line with carets under what it is about, what to do.
 * @param {Problem} problem
 * @param {string} text of the file
 * @param {Output} [stream] where it will be shown: in colour on a terminal
 * @returns {string} without a line end
 */
export function renderProblem(problem, text, stream) {
  /** @param {Parameters<typeof styleText>[0]} style @param {string} words */
  const paint = (style, words) => (stream?.isTTY ? styleText(style, words, { stream }) : words);
  const title = `${paint(colors[problem.level], labels[problem.level])}: ${paint('bold', problem.message)}`;
  if (problem.line === null) return [title, ` --> ${problem.file}`, ...hintLines(problem, '')].join('\n');
  const { line, column, length } = /** @type {{ line: number, column: number, length: number }} */ (problem);
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  const gutter = ' '.repeat(String(line).length);
  const { shown, indent } = cut(source, column - 1);
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - indent.length)));
  return [
    title,
    `${gutter}${paint('blue', '-->')} ${problem.file}:${line}:${column}`,
    `${gutter} ${paint('blue', '|')}`,
    `${paint('blue', `${line} |`)} ${shown}`,
    `${gutter} ${paint('blue', '|')} ${indent}${paint(colors[problem.level], carets)}`,
    ...hintLines(problem, gutter),
  ].join('\n');
}

/** @param {Problem} problem @param {string} gutter */
const hintLines = ({ hint }, gutter) => (hint === null ? [] : [`${gutter} = ${hint}`]);

/**
 * The part of a line around a column, and what brings carets under it: tabs stay tabs.
 * @param {string} source
 * @param {number} column from 0
 */
function cut(source, column) {
  const start = column > widest - 40 ? column - 40 : 0;
  const [left, right] = [start ? '…' : '', source.length > start + widest ? '…' : ''];
  const shown = left + source.slice(start, start + widest) + right;
  const before = left + source.slice(start, column);
  return { shown: shown.trimEnd(), indent: before.replace(/[^\t]/g, ' ') };
}
