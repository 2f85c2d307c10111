import { counted, formatChange, formatChangeInterval, formatLevel } from '../../base/format.js';
import { type Chain, type ChainLine, commitsOf } from '../model/chains.js';
import { caseKey } from '../model/series.js';
import { type Chart, rounded, slotOf } from './chart.js';
import { columnsOf } from './points.js';

/** How much of a commit is enough to know it by. */
export const shortCommit = (commit: string) => commit.slice(0, 7);

/** Bands of more lines than this hide each other. */
const mostBands = 3;

/**
 * A metric over the commits of a chain of duets, a line for each case: how far it has come since the first, with the interval
 * that grows from duet to duet.
 * @param title of the metric
 * @param lines of one metric
 * @param duets of their chain
 * @param whoIs the case of a line
 */
export function chainChart(
  title: string,
  lines: ChainLine[],
  duets: Chain['duets'],
  whoIs: (line: ChainLine) => string,
): Chart {
  const commits = distinct([commitsOf(duets[0]).base, ...duets.map((duet) => commitsOf(duet).head)].map(shortCommit));
  const drawn = lines.map((line, i) => ({
    line,
    slot: slotOf(i),
    points: pointsOf(line, commits, whoIs(line), lines.length),
  }));
  const steps = drawn.flatMap(({ points }) =>
    points.filter(isCertain).map((point) => ({ ...point, shape: shapeOf(point) })),
  );
  const ends = drawn.map(
    ({ line, points }) => `${lines.length > 1 ? `${whoIs(line)} ` : ''}${points[points.length - 1].since}`,
  );
  return {
    file: 'chain',
    title,
    about: `From ${counted(duets.length, 'duet')} of successive commits: the product of their ratios, with its ${formatLevel(lines[0].alpha)} CI.`,
    summary: `${title} from commit ${commits[0]} to ${commits.at(-1)}: ${ends.join('; ')}.`,
    key: lines.length > 1 ? drawn.map(({ line, slot }) => ({ slot, text: whoIs(line) })) : [],
    data: {
      commits: [{ zero: [0] }],
      points: drawn.map(({ slot, points }) => ({
        slot,
        to: 'duets/{duet}',
        ...columnsOf(points.map(({ verdict, ...point }) => ({ ...point, duet: duets[point.place - 1]?.name ?? '' }))),
      })),
      steps: steps.length ? [columnsOf(steps)] : [],
    },
    table: {
      head: ['commit', ...drawn.flatMap(({ line }) => (lines.length > 1 ? [whoIs(line)] : ['since the first']))],
      rows: commits.map((commit, i) => [
        commit,
        ...drawn.map(({ points }) => points.findLast(({ place }) => place === i)?.since ?? '–'),
      ]),
    },
  };
}

/** A commit that was reverted comes twice, with a place of its own each time. */
const distinct = (commits: string[]): string[] =>
  commits.map((commit, i) => {
    const times = commits.slice(0, i).filter((earlier) => earlier === commit).length;
    return times === 0 ? commit : `${commit} (${times + 1})`;
  });

const shapeOf = ({ change, before }: { change: number | null; before: number }) =>
  (change ?? 0) >= before ? 'up' : 'down';

/**
 * @param commits of the chain: one more than it has duets
 * @param lines in the chart
 */
function pointsOf({ steps, unit }: ChainLine, commits: string[], who: string, lines: number) {
  const hasBand = lines <= mostBands;
  let before = 0;
  return steps.flatMap((step, i) => {
    const { estimate, low, high } = step.product;
    const begins = i === 0 || steps[i - 1].stretch !== step.stretch;
    const [change, least, most] = [estimate, low, high].map((ratio) => (ratio - 1) * 100).map(rounded);
    const point = {
      place: step.at + 1,
      commit: commits[step.at + 1],
      stretch: step.stretch,
      who,
      change,
      low: hasBand ? least : change,
      high: hasBand ? most : change,
      before: begins ? 0 : before,
      since: formatChangeInterval({ unit, scale: 'ratio', ratio: estimate, low, high }),
      here: `${step.verdict}, ${formatChangeInterval({ unit, scale: 'ratio', ratio: step.ratio, low: step.low, high: step.high })}`,
      verdict: step.verdict,
    };
    before = change ?? 0;
    const start = {
      ...point,
      place: step.at,
      commit: commits[step.at],
      change: 0,
      low: 0,
      high: 0,
      since: formatChange(1),
      here: 'the first',
      verdict: 'same',
    };
    return begins ? [start, point] : [point];
  });
}

/**
 * The changes of a chain's lines that are certain.
 * @returns the newest first
 */
export const certainSteps = (lines: ChainLine[]): { line: ChainLine; step: ChainLine['steps'][number] }[] =>
  lines
    .flatMap((line) => line.steps.filter(isCertain).map((step) => ({ line, step })))
    .sort((a, b) => b.step.at - a.step.at || caseKey(a.line).localeCompare(caseKey(b.line)));

const isCertain = ({ verdict }: { verdict: string }) => ['worse', 'better'].includes(verdict);
