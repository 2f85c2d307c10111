import { recordMetrics, timeSeriesMetrics } from '../../cases/record-metrics.js';
import { fieldsOf, ofRecords, overTime } from '../../vega-lite/rules.js';
import { readChartFile } from '../../vega-lite/spec-file.js';
import { checkName } from './scope.js';

/** @import { Path, Report } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */
/** @import { ChartScope } from './scope.js' */

/**
 * A chart of the spec's own: its file, and whether that and the spec speak of the same metrics. It is not drawn here.
 * @param {TomlTable} chart
 * @param {{ reach: ChartScope, folder: string }} where
 * @param {Path} path
 * @param {Report} report
 */
export function checkOwn(chart, { reach, folder }, path, report) {
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
  metrics.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
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

/** @param {string[]} datasets @param {ChartScope} reach */
const metricsFor = (datasets, { queries, timeSeries: known }) => [
  ...(datasets.some((name) => ofRecords.includes(name)) ? [...recordMetrics, ...queries] : []),
  ...(datasets.includes(overTime) ? [...timeSeriesMetrics, ...known] : []),
];

/** @param {ChartScope} reach */
const everyMetric = ({ queries }) => [...new Set([...recordMetrics, ...timeSeriesMetrics, ...queries])];

/** @param {string[]} datasets */
const hintFor = (datasets) =>
  datasets.includes(overTime)
    ? 'A timeline has what is known over time.'
    : `It is known over time: the dataset "${overTime}" has it.`;
