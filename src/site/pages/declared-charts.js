import { declaredCharts } from '../charts/declared.js';
import { Rejected } from '../collect/spec-problem.js';
import { chosen } from '../model/shown-cases.js';
import { nameOf } from '../model/site-model.js';

/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Draw, Drawn } from '../charts/drawings.js' */
/** @import { ChartSpec } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */

/**
 * Charts that a spec declares. undrawn: those that cannot be drawn, or of which nothing is known yet, and why;
 * problems: those of them that the spec must fix.
 * @typedef {{ charts: Drawn[], undrawn: { title: string, reason: string }[],
 *   problems: string[] }} DeclaredCharts
 */

/**
 * @param {ChartSpec[]} wishes
 * @param {(wish: ChartSpec) => Entry[]} entriesOf the cases a chart may choose from
 * @param {MetricNames} names
 * @param {Draw} draw
 * @returns {Promise<DeclaredCharts>}
 */
export async function drawDeclared(wishes, entriesOf, names, draw) {
  const found = await Promise.all(wishes.map((wish) => tried(wish, chosen(wish, entriesOf(wish)), names, draw)));
  const charts = found.flatMap((group) => group.charts);
  const undrawn = found.flatMap(({ title, reason }) => (reason ? [{ title, reason }] : []));
  return { charts, undrawn, problems: found.flatMap(({ problem }) => problem ?? []) };
}

/**
 * @param {ChartSpec} wish
 * @param {Entry[]} entries
 * @param {MetricNames} names
 * @param {Draw} draw
 */
async function tried(wish, entries, names, draw) {
  const title = wish.title ?? [wish.file ?? wish.y ?? wish.type].flat().join(', ');
  try {
    const charts = await draw(declaredCharts(wish, entries, names, nameOf));
    const reason = charts.length ? '' : entries.length ? 'its records have too little to draw' : 'not measured yet';
    return { title, charts, reason, problem: null };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // An error raised while drawing does not name its chart: add it here.
    const reason = wish.file && !error.message.includes(wish.file) ? `${wish.file}: ${error.message}` : error.message;
    return { title, charts: [], reason, problem: reason };
  }
}
