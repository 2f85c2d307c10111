import { styleText } from 'node:util';
import type { Output } from '../../base/world.js';

export type Problem = {
  /** relative to the suite */
  file: string;
  /** null: about the file as a whole */
  line: number | null;
  column: number | null;
  length: number | null;
  level: 'error' | 'warn' | 'info';
  /** what is wrong */
  message: string;
  /** what to do */
  hint: string | null;
};

const labels = { error: 'error', warn: 'warning', info: 'note' };
const colors = { error: 'red', warn: 'yellow', info: 'cyan' } as const;

/** More of a long line is not shown. */
const widest = 140;

/**
 * A problem as a compiler shows it: the sentence, the place, the line with carets under what it is about, what to do.
 * @param text of the file
 * @param stream where it will be shown: in colour on a terminal
 * @returns without a line end
 */
export function renderProblem(problem: Problem, text: string, stream?: Output): string {
  const paint = (style: Parameters<typeof styleText>[0], words: string) =>
    stream?.isTTY ? styleText(style, words, { stream }) : words;
  const title = `${paint(colors[problem.level], labels[problem.level])}: ${paint('bold', problem.message)}`;
  if (problem.line === null) return [title, ` --> ${problem.file}`, ...hintLines(problem, '')].join('\n');
  const { line, column, length } = problem as { line: number; column: number; length: number };
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

const hintLines = ({ hint }: Problem, gutter: string) => (hint === null ? [] : [`${gutter} = ${hint}`]);

/**
 * The part of a line around a column, and what brings carets under it: tabs stay tabs.
 * @param column from 0
 */
function cut(source: string, column: number) {
  const start = column > widest - 40 ? column - 40 : 0;
  const [left, right] = [start ? '…' : '', source.length > start + widest ? '…' : ''];
  const shown = left + source.slice(start, start + widest) + right;
  const before = left + source.slice(start, column);
  return { shown: shown.trimEnd(), indent: before.replace(/[^\t]/g, ' ') };
}
