import { counted } from '../../base/format.js';
import type { Draw } from '../charts/drawings.js';
import { history } from '../charts/history.js';
import type { System } from '../collect/systems.js';
import { goneOf } from '../model/latest.js';
import { groupBy } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { caseTable } from './case-table.js';
import { trendsLink } from './trends-page.js';

/** What of a system the spec has no more: how each case stood last, and its gated metrics over versions. */
export async function gonePart(system: System, overview: Overview, draw: Draw) {
  const cases = goneOf(system, overview);
  if (!cases.length) return null;
  const scenarios = [];
  const gone = new Set(cases.flat());
  const inTime = overview.versions.flatMap((version) => version.entries.filter((entry) => gone.has(entry)));
  const places = groupBy(inTime, ({ environment, record }) => `${record.scenario}, ${environment}`);
  for (const [title, entries] of places) {
    const trends = trendsLink(system.name, entries[0].record.scenario, overview);
    const gate = new Set(entries.flatMap(({ record }) => [record.compare?.gate ?? []].flat()));
    const searched = entries.flatMap(({ record }) => record.search?.metric ?? []);
    const metrics = [...new Set([...gate, ...searched])];
    const charts = await draw(metrics.map((metric) => history(metric, entries, overview.names, nameOf, () => null)));
    if (charts.length || trends) scenarios.push({ title, charts, trends });
  }
  return {
    summary: `${counted(cases.length, 'case')} as last measured; no verdict or badge counts ${cases.length > 1 ? 'them' : 'it'}`,
    table: caseTable(
      cases.map((entries) => entries[entries.length - 1]),
      overview,
    ),
    scenarios,
  };
}
