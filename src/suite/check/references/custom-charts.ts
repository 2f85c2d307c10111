import type { Path, Report } from '../../cases/error.js';
import { recordMetrics, timeSeriesMetrics } from '../../cases/record-metrics.js';
import type { TomlTable } from '../../cases/toml.js';
import { fieldsOf, ofRecords, overTime } from '../../vega-lite/rules.js';
import { readChartFile } from '../../vega-lite/spec-file.js';
import { type ChartScope, checkName } from './scope.js';

/** A chart of the spec's own: its file, and whether that and the spec speak of the same metrics. It is not drawn here. */
export function checkOwn(
  chart: TomlTable,
  { reach, folder }: { reach: ChartScope; folder: string },
  path: Path,
  report: Report,
) {
  for (const key of ['x', 'y', 'by', 'reference_line', 'scale']) {
    if (chart[key] === undefined) continue;
    report([...path, key], `a chart of type "vega-lite" has no "${key}"`, 'Its file says how it is drawn.', 'key');
  }
  const { file, metrics = [] } = chart;
  if (file === undefined) {
    report(path, 'the chart has no "file"', 'Write file = "charts/mine.vl.json".', 'key');
    return;
  }
  const at = [...path, 'file'];
  const { faults, datasets, names, fields } = readChartFile(folder, file);
  for (const { message, hint } of faults) report(at, message, hint);
  if (faults.length) return;
  const known = metricsFor(datasets, reach);
  if (metrics.length && !known.length) {
    report(
      [...path, 'metrics'],
      `${file} takes no dataset that has metrics`,
      `It takes ${datasets.join(', ')}.`,
      'key',
    );
    return;
  }
  metrics.forEach((name: string, i: number) => {
    if (known.includes(name) || !everyMetric(reach).includes(name))
      checkName('metric', name, known, [...path, 'metrics', i], report);
    else report([...path, 'metrics', i], `${datasets.join(' and ')} have no ${name}`, hintFor(datasets));
  });
  const unasked = everyMetric(reach).filter((name) => names.has(name) && !metrics.includes(name));
  for (const name of unasked)
    report(at, `${file} draws ${name}, which is not asked for`, `Add it: metrics = […, "${name}"].`);
  const there = [...fieldsOf(datasets, metrics), ...reach.parameters];
  for (const name of [...fields].filter((field) => !there.includes(field) && !unasked.includes(field))) {
    report(at, `${file} draws the field "${name}", which is not in ${datasets.join(' or ')}`, {
      got: name,
      known: there,
    });
  }
}

const metricsFor = (datasets: string[], { queries, timeSeries: known }: ChartScope) => [
  ...(datasets.some((name) => ofRecords.includes(name)) ? [...recordMetrics, ...queries] : []),
  ...(datasets.includes(overTime) ? [...timeSeriesMetrics, ...known] : []),
];

const everyMetric = ({ queries }: ChartScope) => [...new Set([...recordMetrics, ...timeSeriesMetrics, ...queries])];

const hintFor = (datasets: string[]) =>
  datasets.includes(overTime)
    ? 'A timeline has what is known over time.'
    : `It is known over time: the dataset "${overTime}" has it.`;
