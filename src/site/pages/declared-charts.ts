import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { declaredCharts } from '../charts/declared.js';
import type { Draw, Drawn } from '../charts/drawings.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { Rejected } from '../collect/spec-problem.js';
import { chosen } from '../model/shown-cases.js';
import { nameOf } from '../model/site-model.js';

/**
 * Charts that a spec declares. undrawn: those that cannot be drawn, or of which nothing is known yet, and why;
 * problems: those of them that the spec must fix.
 */
type DeclaredCharts = { charts: Drawn[]; undrawn: { title: string; reason: string }[]; problems: string[] };

/** @param entriesOf the cases a chart may choose from */
export async function drawDeclared(
  wishes: ChartSpec[],
  entriesOf: (wish: ChartSpec) => Entry[],
  names: MetricNames,
  draw: Draw,
): Promise<DeclaredCharts> {
  const found = await Promise.all(wishes.map((wish) => tried(wish, chosen(wish, entriesOf(wish)), names, draw)));
  const charts = found.flatMap((group) => group.charts);
  const undrawn = found.flatMap(({ title, reason }) => (reason ? [{ title, reason }] : []));
  return { charts, undrawn, problems: found.flatMap(({ problem }) => problem ?? []) };
}

async function tried(wish: ChartSpec, entries: Entry[], names: MetricNames, draw: Draw) {
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
