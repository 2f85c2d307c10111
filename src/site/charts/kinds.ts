import type { Condition } from '../../records/calibration/calibration.js';
import { type Chart, rounded } from './chart.js';
import { columnsOf } from './points.js';

/** How trials end, as a bar has its parts from left to right; what "right" is depends on what was changed. */
const ends = ['right', 'unclear', 'wrong'] as const;

/** How many trials a condition has of each end: where nothing changed a fail is wrong, and a pass where something did. */
function ended({ is_aa, trials, judged: { verdicts, found } }: Condition): Record<(typeof ends)[number], number> {
  const { pass, fail } = verdicts;
  const [right, wrong] = is_aa ? [pass, fail] : [found, pass];
  return { right, unclear: trials - right - wrong, wrong };
}

/** What a duet said of trials whose truth is known: a bar for each kind of change and each kind of A/A trial. */
export function kindsChart(conditions: Condition[]): Chart {
  const rows = conditions.map((condition, row) => {
    const of = ended(condition);
    const { right, unclear, wrong } = of;
    const counted = condition.is_aa
      ? `${wrong} of ${condition.trials} failed`
      : `${right} of ${condition.trials} found`;
    const said = counted + (unclear ? `, ${unclear} unclear` : '');
    const what = condition.is_aa ? `${condition.name}, nothing changed` : condition.condition;
    return {
      row,
      label: `${[what, condition.effect].filter(Boolean).join(', ')}: ${said}`,
      cells: [condition.name, condition.effect ?? '–', `${condition.trials}`, ...ends.map((end) => `${of[end]}`)],
      parts: partsOf(of, condition.trials),
    };
  });
  const parts = rows.flatMap(({ row, label, parts: all }) => all.map((part) => ({ row, label, ...part })));
  return {
    file: 'kinds',
    title: 'What a duet said of changes whose truth is known',
    about:
      'A change is found where its duet fails, or says that head does not do the same work. Where nothing was changed, to fail is wrong. Unclear is not a pass. Beside each kind of change what it did to the gated metric that it changed most.',
    summary: `${rows.map(({ label }) => label).join('; ')}.`,
    key: ends.map((end) => ({ slot: end, text: end })),
    data: {
      parts: [columnsOf(parts)],
      labels: [columnsOf(rows.map(({ row, label }) => ({ row, label })))],
    },
    table: { head: ['what was changed', 'by how much', 'trials', ...ends], rows: rows.map(({ cells }) => cells) },
  };
}

/**
 * A bar's parts, from left to right.
 * @param of trials of each end
 */
function partsOf(of: Record<(typeof ends)[number], number>, trials: number) {
  let before = 0;
  return ends.flatMap((end) => {
    if (!of[end]) return [];
    const from = before;
    before += of[end];
    return [{ end, from: rounded((100 * from) / trials), to: rounded((100 * before) / trials) }];
  });
}
