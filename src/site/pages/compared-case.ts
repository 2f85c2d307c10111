import type { ComparedCase, ComparedMetric } from '../../../reports/schema/types.d.ts';
import { metricParts } from '../../../site/assets/js/metric-names.js';
import { formatChangeInterval } from '../../base/format.js';
import { blocksChart } from '../charts/blocks.js';
import type { Draw } from '../charts/drawings.js';
import { intervalBar } from '../charts/interval-bar.js';
import { bothDistributions } from '../charts/latency-distribution.js';
import { groupBy } from '../model/series.js';
import type { Overview } from '../model/site-model.js';
import { type ChangeRow, caseTitle, changeRow } from './change-rows.js';

/** A metric of a compared case as a row of its table. bar: its interval, as SVG; '' where it has none. */
type ComparedRow = ChangeRow & { change: string; bar: string };

/**
 * The page that a case stands on. reach: of the axis of its intervals; drawn: whether the case has charts; several: whether there
 * are other cases, systems: of several systems.
 */
type ComparisonPlace = { reach: number; drawn: boolean; several: boolean; systems: boolean };

/** The subject of a metric, in the order of the page; the title of its rows. */
const groups = new Map([
  ['solo', 'One user'],
  ['load', 'Under the scenario\u2019s load'],
  ['saturation', 'At saturation'],
  ['age', 'Over a long time'],
  ['request', 'Request by request'],
  ['service', 'Service by service'],
  ['script', 'Measured by the script'],
]);

/** So many metrics of a case are drawn block by block. */
const mostStrips = 6;

/**
 * One case of a comparison: how it came out, its metrics by what they are of, what is certain block by block, and what else
 * was found.
 * @param url of the record of head; '' where it has no page
 */
export async function comparedCase(
  compared: ComparedCase,
  url: string,
  page: ComparisonPlace,
  { names, systems }: Overview,
  draw: Draw,
) {
  const { reach, drawn, several } = page;
  const orderOf = ({ metric }: ComparedMetric) => names.orderOf(metricParts(metric).metric);
  const sorted = [...compared.metrics].sort((a, b) => before(orderOf(a), orderOf(b)));
  const certain = sorted.filter(({ gated, verdict }) => gated && ['worse', 'better'].includes(verdict));
  const { base = null, head = null } = compared.distributions ?? {};
  const charts = drawn
    ? await draw([
        base && head ? bothDistributions({ base, head }) : null,
        ...certain
          .slice(0, mostStrips)
          .map((metric) =>
            blocksChart(
              names.titleOf(metric.metric),
              metric,
              names.printOf(metric.metric, metric.unit, [metric.base, metric.head]),
            ),
          ),
      ])
    : [];
  const rowOf = (metric: ComparedMetric): ComparedRow => ({
    ...changeRow(metric, names),
    change: formatChangeInterval(metric),
    bar: intervalBar(metric, reach),
  });
  return {
    id: [compared.system, compared.environment, compared.case].join('-').replace(/[^\w-]+/g, '-'),
    title: caseTitle(compared, systems, page.systems),
    place: [compared.system, compared.environment, compared.case].join(' '),
    url,
    verdict: compared.verdict,
    reason: compared.verdict === 'pass' ? null : compared.reason,
    groups: grouped(
      sorted.filter(({ gated }) => gated),
      compared.comparison?.kind !== 'sessions',
    ).map(({ title, metrics }) => ({
      title,
      rows: metrics.map(rowOf),
    })),
    others: sorted.filter(({ gated }) => !gated).map(rowOf),
    charts,
    thresholds: compared.thresholds
      .filter(({ lane, implicit, outcome }) => (lane ? !(implicit && outcome === 'met') : outcome !== 'met'))
      .map(({ outcome, text }) => ({ verdict: outcome, text })),
    // what holds of each case of a machine says nothing of one of them
    findings: several ? compared.findings.filter(({ level }) => level !== 'info') : compared.findings,
    changes: compared.changes ?? [],
  };
}

/** What is not in the table is Infinity, and Infinity less Infinity is not a number. */
const before = (a: number, b: number) => (a === b ? 0 : a - b);

/**
 * @param metrics in the order of the table of metrics
 * @param duet whether one user alone is one of several lanes
 */
function grouped(metrics: ComparedMetric[], duet: boolean): { title: string; metrics: ComparedMetric[] }[] {
  const of = groupBy(metrics, ({ metric }) => {
    const { kind, part } = metricParts(metric);
    return kind === 'lane' ? part : (kind ?? 'solo');
  });
  const names = [...new Set([...groups.keys(), ...of.keys()])].filter((name) => of.has(name));
  return names.map((name) => ({
    title: duet || name !== 'solo' ? (groups.get(name) ?? name) : '',
    metrics: of.get(name) ?? [],
  }));
}
