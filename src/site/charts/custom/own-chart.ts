import type { MetricNames } from '../../../../site/assets/js/metric-names.js';
import { ofRecords, overTime, type VegaLite } from '../../../suite/vega-lite/rules.js';
import type { Entry } from '../../collect/collect-record.js';
import type { ChartSpec } from '../../collect/declared-parts.js';
import { Rejected } from '../../collect/spec-problem.js';
import { headingOf } from '../../model/metric-names.js';
import { valuesText } from '../../model/series.js';
import { differing, whoIs } from '../../model/shown-cases.js';
import type { Chart } from '../chart.js';
import type { Data } from '../draw.js';
import { extentOf, isDrawable } from '../points.js';
import { hasLatencies, invalidNote, quantilesOf, shownPercentiles, textAt } from '../quantiles-chart.js';
import { noteOf } from '../sweep-chart.js';
import { tableOf } from '../time.js';
import { courseOf, ownData, unitsOf } from './data.js';

type ChartTable = Chart['table'];

/**
 * A chart that a spec brings with it, as Vega-Lite.
 * @param entries the cases to draw
 * @param nameOf a version's name
 * @returns null: there is nothing to draw
 * @throws {Rejected} it cannot be drawn, whatever was measured
 */
export function ownChart(
  { title: wished, file = 'vega-lite', own, metrics: metricNames = [], series }: ChartSpec,
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): Chart | null {
  if (!own) throw new Rejected(`the chart ${JSON.stringify(wished ?? file)} has no file`);
  if (own.faults.length) throw new Rejected(own.faults[0].message);
  if (!entries.length) return null;
  const { chart, datasets } = own;
  const metrics = [metricNames].flat().map(String);
  const title = wished ?? titleOf(chart) ?? file;
  for (const name of metrics) checkUnit(name, unitsOf(name, entries, datasets), title);
  const apart = [...(series === 'version' ? ['version'] : []), ...differing(entries)];
  const who = (entry: Entry) => whoIs(entry, apart, nameOf);
  const data = ownData(datasets, entries, metrics, (entry) => placeOf(entry, who(entry), nameOf(entry)));
  if (!hasNumbers(data, metrics)) return null;
  const table = tableFor(
    datasets,
    metrics,
    entries,
    names,
    (entry) => who(entry) || valuesText(entry.record) || nameOf(entry),
  );
  const latencies = datasets.includes('quantiles') ? invalidNote(entries.filter(hasLatencies)) : '';
  return {
    file: 'own',
    own: chart,
    title,
    note: noteOf(metrics, entries) || latencies,
    summary:
      typeof chart.description === 'string'
        ? chart.description
        : `${title}: ${table.rows.map((row) => row.join(', ')).join('; ')}.`,
    key: [],
    data,
    table,
  };
}

const titleOf = ({ title }: VegaLite): string | undefined =>
  [title, title?.text].find((candidate) => typeof candidate === 'string');

/** Numbers of two units on one axis would be a lie that looks like a chart. */
function checkUnit(name: string, units: string[], title: string) {
  if (!units.length) throw new Rejected(`the chart "${title}" asks for ${name}, which none of its records has`);
  if (units.length > 1)
    throw new Rejected(`the chart "${title}" asks for ${name}, which is in ${units.join(' and in ')}`);
}

/** Which case it is. Swept keys come first: a parameter called like one of the others does not hide it. */
const placeOf = ({ record, system, environment, case: name }: Entry, who: string, version: string) => ({
  ...record.values,
  who,
  version,
  system,
  environment,
  scenario: record.scenario,
  case: name,
  verdict: record.verdict,
});

function hasNumbers(data: Data, metrics: string[]) {
  const sets = Object.values(data).flat();
  if (!metrics.length) return sets.length > 0;
  return sets.some(
    (set) => 'p' in set || metrics.some((name) => [set[name] ?? null].flat().some((value) => value !== null)),
  );
}

/** The numbers beside the picture, as pages print them. */
function tableFor(
  datasets: string[],
  metrics: string[],
  entries: Entry[],
  names: MetricNames,
  who: (entry: Entry) => string,
): ChartTable {
  const measured = metrics.filter((name) => entries.some(({ record }) => record.metrics[name]));
  if (measured.length && datasets.some((name) => ofRecords.includes(name)))
    return recordTable(measured, entries, names, who);
  if (metrics.length && datasets.includes(overTime)) return courseTable(metrics, entries, names, who);
  return datasets.includes('quantiles')
    ? quantileTable(entries, who)
    : { head: ['case', 'verdict'], rows: entries.map((entry) => [who(entry), entry.record.verdict]) };
}

function recordTable(metrics: string[], entries: Entry[], names: MetricNames, who: (entry: Entry) => string) {
  const unitOf = (name: string) => entries.find(({ record }) => record.metrics[name])?.record.metrics[name].unit ?? '1';
  const columns = metrics.map((name) => {
    const values = entries.map(({ record }) => record.metrics[name]).filter(isDrawable);
    const print = names.printOf(
      name,
      unitOf(name),
      values.map(({ value }) => value),
    );
    return { name, print };
  });
  const cellOf = ({ record: { metrics: all } }: Entry, { name, print }: (typeof columns)[number]) => {
    if (!isDrawable(all[name])) return all[name]?.valid === false ? '⊘' : '–';
    const { value, range } = extentOf(all[name], print);
    return range === '–' ? value : `${value} (${range})`;
  };
  return {
    head: ['case (lowest to highest round)', ...columns.map(({ name, print }) => headingOf(names, name, print.unit))],
    rows: entries.map((entry) => [who(entry), ...columns.map((column) => cellOf(entry, column))]),
  };
}

function courseTable(metrics: string[], entries: Entry[], names: MetricNames, who: (entry: Entry) => string) {
  const rows = metrics.flatMap((name) =>
    entries.flatMap((entry) =>
      courseOf(entry.record, name).flatMap((line) => {
        const print = names.printOf(name, line.unit, line.values);
        const what = [headingOf(names, name, print.unit), line.who, entries.length > 1 ? who(entry) : '']
          .filter(Boolean)
          .join('; ');
        return tableOf([{ text: what, values: line.values }], print);
      }),
    ),
  );
  return { head: ['over time', 'lowest', 'middle', 'highest'], rows };
}

function quantileTable(all: Entry[], who: (entry: Entry) => string) {
  const entries = all.filter(hasLatencies);
  return {
    head: ['percentile', ...entries.map((entry) => `${who(entry)}, ms`)],
    rows: shownPercentiles.map((p) => [`p${p}`, ...entries.map((entry) => textAt(quantilesOf(entry), p))]),
  };
}
