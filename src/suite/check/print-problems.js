import { counted } from '../../base/format.js';
import { renderProblem } from './code-frame.js';

/** @import { Output } from '../../base/world.js' */
/** @import { Problem } from './code-frame.js' */

/** More would not be read, and each is shown with its line. */
const mostShown = 500;

/**
 * Problems as text, in the order of files and lines, each with its frame; of very many only the first.
 * @param {Problem[]} problems
 * @param {(file: string) => string} textOf
 * @param {Output} [stream] where they will be shown
 * @returns {string} empty when there are none; else with a line end
 */
export function renderProblems(problems, textOf, stream) {
  const shown = problems.slice(0, mostShown);
  const more = problems.length - shown.length;
  return (
    shown.map((problem) => `${renderProblem(problem, textOf(problem.file), stream)}\n\n`).join('') +
    (more > 0 ? `… and ${counted(more, 'problem')} more\n\n` : '')
  );
}

/**
 * @param {Problem[]} problems
 * @returns {string} "2 errors and 1 warning"
 */
export function countProblems(problems) {
  const count = (/** @type {string} */ level, /** @type {string} */ word) => {
    const number = problems.filter((problem) => problem.level === level).length;
    return number ? [counted(number, word)] : [];
  };
  const counts = [...count('error', 'error'), ...count('warn', 'warning'), ...count('info', 'note')];
  if (!counts.length) return 'no problems';
  return counts.length === 1 ? counts[0] : `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
}
