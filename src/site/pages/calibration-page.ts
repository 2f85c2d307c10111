import type { Calibration } from '../../records/calibration/calibration.js';
import type { Draw } from '../charts/drawings.js';
import { kindsChart } from '../charts/kinds.js';
import { powerChart } from '../charts/power.js';
import type { System } from '../collect/systems.js';
import type { Overview } from '../model/site-model.js';
import { columnOf, csv } from './csv.js';
import { link, type Page } from './page.js';

/** Shows the calibration of a system's duet: what its trials say. */
export async function calibrationPage(
  system: System,
  calibration: Calibration,
  { names }: Overview,
  draw: Draw,
): Promise<Page> {
  const { rule, head, summary, tables, conditions, sessions } = calibration;
  const measured = conditions.flatMap(({ power, ...condition }) => (power ? [{ ...condition, power }] : []));
  return {
    kind: 'calibration',
    url: calibrationUrl(system),
    title: `Calibration of ${system.title}`,
    time: sessions.at(-1)?.to ?? '',
    description: summary,
    model: {
      path: [link(system.title, `systems/${system.name}`)],
      summary,
      head,
      tables: tables.map((table, i) => ({ ...table, id: `table-${i}` })),
      charts: await draw([kindsChart(conditions)]),
      power: await draw(measured.map((condition) => powerChart(condition, rule.gate, rule.tolerance, names))),
      command: `benchfolio replay ${system.name}`,
    },
    files: {
      json: `${JSON.stringify(calibration)}\n`,
      csv: csv(
        (['table', 'row', 'column', 'value'] as const).map(columnOf),
        tables.flatMap(({ title, head: columns, rows }) =>
          rows.flatMap(([row, ...cells]) =>
            cells.map((value, i) => ({ table: title, row, column: columns[i + 1], value })),
          ),
        ),
      ),
    },
  };
}

export const calibrationUrl = ({ name }: { name: string }) => `systems/${name}/calibration`;
