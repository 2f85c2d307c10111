import { counted } from '../../base/format.js';
import type { Output } from '../../base/world.js';
import { type Problem, renderProblem } from './code-frame.js';

/** More would not be read, and each is shown with its line. */
const mostShown = 500;

/**
 * Problems as text, in the order of files and lines, each with its frame; of very many only the first.
 * @param stream where they will be shown
 * @returns empty when there are none; else with a line end
 */
export function renderProblems(problems: Problem[], textOf: (file: string) => string, stream?: Output): string {
  const shown = problems.slice(0, mostShown);
  const more = problems.length - shown.length;
  return (
    shown.map((problem) => `${renderProblem(problem, textOf(problem.file), stream)}\n\n`).join('') +
    (more > 0 ? `… and ${counted(more, 'problem')} more\n\n` : '')
  );
}

/** @returns "2 errors and 1 warning" */
export function countProblems(problems: Problem[]): string {
  const count = (level: string, word: string) => {
    const number = problems.filter((problem) => problem.level === level).length;
    return number ? [counted(number, word)] : [];
  };
  const counts = [...count('error', 'error'), ...count('warn', 'warning'), ...count('info', 'note')];
  if (!counts.length) return 'no problems';
  return counts.length === 1 ? counts[0] : `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
}
