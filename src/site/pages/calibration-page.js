import { kindsChart } from '../charts/kinds.js';
import { powerChart } from '../charts/power.js';
import { csv } from './csv.js';
import { link } from './page.js';

/** @import { Calibration } from '../../records/calibration/calibration.js' */
/** @import { Draw } from '../charts/drawings.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Overview } from '../model/site-model.js' */
/** @import { Page } from './page.js' */

/**
 * Shows the calibration of a system's duet: what its trials say.
 * @param {System} system
 * @param {Calibration} calibration
 * @param {Overview} overview
 * @param {Draw} draw
 * @returns {Promise<Page>}
 */
export async function calibrationPage(system, calibration, { names }, draw) {
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
        ['table', 'row', 'column', 'value'],
        tables.flatMap(({ title, head: columns, rows }) =>
          rows.flatMap(([row, ...cells]) => cells.map((cell, i) => [title, row, columns[i + 1], cell])),
        ),
      ),
    },
  };
}

/** @param {{ name: string }} system */
export const calibrationUrl = ({ name }) => `systems/${name}/calibration`;
