import { partMetrics, recordMetrics, timeSeriesMetrics } from '../../cases/record-metrics.js';
import { checkOwn } from './custom-charts.js';
import { checkName, checkWhere, reachOf, scenariosOf } from './scope.js';

/** @import { Path, Report } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */
/** @import { ChartScope } from './scope.js' */

/**
 * What charts name must be there, those of scenarios and of the spec.
 * @param {TomlTable} spec environments that are like others filled in
 * @param {TomlTable} document the spec as it is
 * @param {string} folder of the spec
 * @param {Report} report
 */
export function checkCharts(spec, document, folder, report) {
  for (const [name, scenario] of Object.entries(spec.scenarios)) {
    const reach = scenario.charts && reachOf(spec, [name]);
    scenario.charts?.forEach((/** @type {TomlTable} */ chart, /** @type {number} */ i) => {
      const path = ['scenarios', name, 'charts', i];
      if (chart.scenarios) {
        const hint = 'One over several is a [[charts]] of the spec.';
        report([...path, 'scenarios'], "a scenario's chart shows that scenario", hint, 'key');
      }
      checkChart(chart, { reach, folder }, path, report);
    });
  }
  spec.charts?.forEach((/** @type {TomlTable} */ chart, /** @type {number} */ i) => {
    const path = ['charts', i];
    if (!chart.scenarios) report(path, `chart ${i + 1} has no "scenarios"`, 'Say whose cases it shows.', 'key');
    else {
      const reach = reachOf(spec, scenariosOf(chart, document, path, report));
      if (reach.scenarios.length === chart.scenarios.length) checkChart(chart, { reach, folder }, path, report);
    }
  });
}

/** @param {TomlTable} chart @param {{ reach: ChartScope, folder: string }} where @param {Path} path @param {Report} report */
function checkChart(chart, { reach, folder }, path, report) {
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

/** @param {TomlTable} chart @param {string} type @param {ChartScope} reach @param {Path} path @param {Report} report */
function checkValues({ x, y, by, reference_line }, type, { parameters, queries }, path, report) {
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

/** @param {TomlTable} chart @param {ChartScope} reach @param {Path} path @param {Report} report */
function checkCourse(chart, reach, path, report) {
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

/** @param {TomlTable} chart @param {string} type @param {Path} path @param {Report} report */
function checkLatencies(chart, type, path, report) {
  for (const key of ['x', 'y', 'by', 'reference_line']) {
    if (chart[key] !== undefined) refuseKey(key, type, 'It is of the latencies of each case.', path, report);
  }
}

/** @param {string} key @param {string} type @param {string} hint @param {Path} path @param {Report} report */
const refuseKey = (key, type, hint, path, report) =>
  report([...path, key], `a chart of type "${type}" has no "${key}"`, hint, 'key');

/**
 * @param {string | string[] | undefined} y
 * @param {string[]} known
 * @param {Path} path
 * @param {Report} report
 * @param {string[]} [queries] those that are known otherwise
 */
function checkMetrics(y, known, path, report, queries = []) {
  [y ?? []].flat().forEach((metric, i) => {
    const at = [...path, 'y', ...(Array.isArray(y) ? [i] : [])];
    if (queries.includes(metric) && !known.includes(metric)) {
      report(at, `"${metric}" is not known over time`, 'Set over = "time" where it is asked for.');
    } else checkName('metric', metric, known, at, report);
  });
}
