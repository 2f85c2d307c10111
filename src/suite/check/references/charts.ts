import type { Path, Report } from '../../cases/error.js';
import { partMetrics, recordMetrics, timeSeriesMetrics } from '../../cases/record-metrics.js';
import type { TomlTable } from '../../cases/toml.js';
import { checkOwn } from './custom-charts.js';
import { type ChartScope, checkName, checkWhere, reachOf, scenariosOf } from './scope.js';

/**
 * What charts name must be there, those of scenarios and of the spec.
 * @param spec environments that are like others filled in
 * @param document the spec as it is
 * @param folder of the spec
 */
export function checkCharts(spec: TomlTable, document: TomlTable, folder: string, report: Report) {
  for (const [name, scenario] of Object.entries<TomlTable>(spec.scenarios)) {
    const reach = scenario.charts && reachOf(spec, [name]);
    scenario.charts?.forEach((chart: TomlTable, i: number) => {
      const path = ['scenarios', name, 'charts', i];
      if (chart.scenarios) {
        const hint = 'One over several is a [[charts]] of the spec.';
        report([...path, 'scenarios'], "a scenario's chart shows that scenario", hint, 'key');
      }
      checkChart(chart, { reach, folder }, path, report);
    });
  }
  spec.charts?.forEach((chart: TomlTable, i: number) => {
    const path = ['charts', i];
    if (!chart.scenarios) report(path, `chart ${i + 1} has no "scenarios"`, 'Say whose cases it shows.', 'key');
    else {
      const reach = reachOf(spec, scenariosOf(chart, document, path, report));
      if (reach.scenarios.length === chart.scenarios.length) checkChart(chart, { reach, folder }, path, report);
    }
  });
}

function checkChart(
  chart: TomlTable,
  { reach, folder }: { reach: ChartScope; folder: string },
  path: Path,
  report: Report,
) {
  const { type = 'line', series } = chart;
  if (type !== 'vega-lite') {
    for (const key of ['file', 'metrics']) {
      if (chart[key] !== undefined) refuseKey(key, type, 'Set type = "vega-lite".', path, report);
    }
  }
  if (type === 'vega-lite') checkOwn(chart, { reach, folder }, path, report);
  else if (type === 'time') checkCourse(chart, reach, path, report);
  else if (type === 'distribution' || type === 'histogram') checkLatencies(chart, type, path, report);
  else checkValues(chart, type, reach, path, report);
  const known =
    type === 'vega-lite' ? ['environment', 'version'] : [...reach.parameters, 'environment', 'scenario', 'version'];
  if (type === 'vega-lite' && series !== undefined && !known.includes(series)) {
    report([...path, 'series'], `series of a chart of type "${type}" cannot be "${series}"`, { got: series, known });
  } else if (series !== undefined && !known.includes(series)) {
    report([...path, 'series'], `"${series}" is not a parameter`, { got: series, known });
  }
  checkWhere(chart.where, reach, path, report);
}

function checkValues(
  { x, y, by, reference_line }: TomlTable,
  type: string,
  { parameters, queries }: ChartScope,
  path: Path,
  report: Report,
) {
  for (const [key, value] of Object.entries({ x, y })) {
    if (value === undefined) report(path, `the chart has no "${key}"`, undefined, 'key');
  }
  const metrics = by === 'request' ? partMetrics.request : [...recordMetrics, ...queries];
  const places = ['environment', 'scenario'];
  const axes = [...parameters, ...metrics, ...(type === 'bar' ? places : []), ...(by === undefined ? [] : [by])];
  if (x !== undefined && !axes.includes(x)) {
    if (places.includes(x)) report([...path, 'x'], `a ${type} chart has no ${x} for x`, 'Set type = "bar".');
    else report([...path, 'x'], `"${x}" is neither a parameter nor a metric`, { got: x, known: axes });
  }
  if (reference_line === 'x=y' && type === 'bar') {
    report([...path, 'reference_line'], 'bars have no line where x is y', 'Give a value of y.');
  }
  checkMetrics(
    y,
    metrics,
    path,
    by === undefined
      ? report
      : (at, message, hint) => report(at, message.replace('there is no', 'a request has no'), hint),
  );
}

function checkCourse(chart: TomlTable, reach: ChartScope, path: Path, report: Report) {
  const { y, by } = chart;
  if (y === undefined) report(path, 'the chart has no "y"', undefined, 'key');
  for (const key of ['x', 'scale']) {
    if (chart[key] !== undefined) refuseKey(key, 'time', 'Its x is the time.', path, report);
  }
  if (chart.reference_line === 'x=y') {
    report([...path, 'reference_line'], 'a chart over time has no line where x is y', 'Give a value of y.');
  }
  if (by === 'request' && y !== undefined && [y].flat().some((metric) => metric !== 'requests_rps')) {
    report([...path, 'y'], 'only requests_rps is known by request over time', 'Set y = "requests_rps", or drop `by`.');
  }
  if (by === undefined && [y].flat().includes('requests_rps')) {
    report(
      [...path, 'y'],
      'requests_rps is known by request over time',
      'Set by = "request", or y = "throughput_rps".',
    );
  }
  checkMetrics(y, [...timeSeriesMetrics, ...reach.timeSeries], path, report, reach.queries);
}

function checkLatencies(chart: TomlTable, type: string, path: Path, report: Report) {
  for (const key of ['x', 'y', 'by', 'reference_line']) {
    if (chart[key] !== undefined) refuseKey(key, type, 'It is of the latencies of each case.', path, report);
  }
}

const refuseKey = (key: string, type: string, hint: string, path: Path, report: Report) =>
  report([...path, key], `a chart of type "${type}" has no "${key}"`, hint, 'key');

/** @param queries those that are known otherwise */
function checkMetrics(
  y: string | string[] | undefined,
  known: string[],
  path: Path,
  report: Report,
  queries: string[] = [],
) {
  [y ?? []].flat().forEach((metric, i) => {
    const at = [...path, 'y', ...(Array.isArray(y) ? [i] : [])];
    if (queries.includes(metric) && !known.includes(metric)) {
      report(at, `"${metric}" is not known over time`, 'Set over = "time" where it is asked for.');
    } else checkName('metric', metric, known, at, report);
  });
}
