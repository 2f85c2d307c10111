import { kindsChart } from '../charts/kinds.js';
import { powerChart } from '../charts/power.js';
import { csv } from './csv.js';
import { link } from './page.js';

/**
 * Shows the calibration of a system's duet: what its trials say.
 * @param {import('../collect/systems.js').System} system
 * @param {any} calibration as reports/calibration.json.jq prints it
 * @param {import('../model/site-model.js').Overview} overview
 * @param {import('../charts/drawings.js').Draw} draw
 * @returns {Promise<import('./page.js').Page>}
 */
export async function calibrationPage(system, calibration, { names }, draw) {
  const { rule, head, summary, tables, conditions, sessions } = calibration;
  const measured = conditions.filter((/** @type {any} */ { power }) => power);
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
      tables: tables.map((/** @type {any} */ table, /** @type {number} */ i) => ({ ...table, id: `table-${i}` })),
      charts: await draw([kindsChart(conditions)]),
      power: await draw(measured.map((/** @type {any} */ one) => powerChart(one, rule.gate, rule.tolerance, names))),
      command: `benchfolio replay ${system.name}`,
    },
    files: {
      json: `${JSON.stringify(calibration)}\n`,
      csv: csv(
        ['table', 'row', 'column', 'value'],
        tables.flatMap((/** @type {any} */ { title, head: columns, rows }) =>
          rows.flatMap((/** @type {string[]} */ [row, ...cells]) =>
            cells.map((cell, i) => [title, row, columns[i + 1], cell]),
          ),
        ),
      ),
    },
  };
}

/** @param {{ name: string }} system */
export const calibrationUrl = ({ name }) => `systems/${name}/calibration`;
