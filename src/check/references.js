import { recordMetrics, serviceMetrics } from '../spec/metrics.js';
import { trySelector } from '../spec/thresholds.js';

/** @import { Report } from '../spec/error.js' */

/**
 * Names in a spec that stand for something else in it, and must be there.
 * @param {Record<string, any>} spec without what the schema refused
 * @param {Record<string, any>} document the spec as it is: what was refused has a name all the same
 * @param {Report} report
 */
export function checkReferences(spec, document, report) {
  const environments = Object.keys(document.environments);
  for (const kind of ['environments', 'scenarios']) refuseAlike(kind, Object.keys(spec[kind]), report);
  for (const [name, scenario] of Object.entries(spec.scenarios)) {
    scenario.environments?.forEach((/** @type {string} */ environment, /** @type {number} */ i) => {
      if (environments.includes(environment)) return;
      report(['scenarios', name, 'environments', i], `there is no environment "${environment}"`,
        { got: environment, known: environments });
    });
    checkServices(name, scenario, document, report);
    checkCharts(name, scenario, spec, report);
  }
}

/**
 * Cases become files, and some file systems do not tell letters' case apart.
 * @param {string} kind
 * @param {string[]} names
 * @param {Report} report
 */
function refuseAlike(kind, names, report) {
  names.forEach((name, i) => {
    const other = names.slice(0, i).find((before) => before.toLowerCase() === name.toLowerCase());
    if (other) report([kind, name], `${kind} "${other}" and "${name}" differ only in case, and become file names`);
  });
}

/** @param {string} name @param {any} scenario @param {any} document @param {Report} report */
function checkServices(name, scenario, document, report) {
  const places = scenario.environments ?? Object.keys(document.environments);
  const services = places.flatMap((/** @type {string} */ place) => document.environments[place]?.services ?? []);
  for (const key of Object.keys(scenario.thresholds ?? {})) {
    const { metric, selector } = trySelector(key) ?? { metric: '', selector: {} };
    if (!serviceMetrics.includes(metric) || selector.service === undefined) continue;
    const path = ['scenarios', name, 'thresholds', key];
    const service = services.find((/** @type {any} */ one) => one.name === selector.service);
    const known = services.map((/** @type {any} */ one) => String(one.name));
    if (!service) report(path, `there is no service "${selector.service}"`, { got: selector.service, known }, 'key');
    else if (service.sampled === false) {
      report(path, `the service "${service.name}" is not sampled`, 'Drop its `sampled = false`.', 'key');
    }
  }
}

/** @param {string} name @param {any} scenario @param {any} spec @param {Report} report */
function checkCharts(name, scenario, spec, report) {
  const layers = [spec, ...Object.values(spec.profiles ?? {})];
  const swept = layers.flatMap((layer) => Object.keys(layer.scenarios?.[name]?.sweep ?? {}));
  const parameters = [...new Set([...swept, ...Object.keys(spec.parameters ?? {})])];
  scenario.charts?.forEach((/** @type {any} */ chart, /** @type {number} */ i) => {
    const path = ['scenarios', name, 'charts', i];
    const axes = [...parameters, ...recordMetrics];
    if (!axes.includes(chart.x)) {
      report([...path, 'x'], `"${chart.x}" is neither a parameter nor a metric`, { got: chart.x, known: axes });
    }
    const listed = Array.isArray(chart.y);
    [chart.y].flat().forEach((metric, at) => {
      if (recordMetrics.includes(metric)) return;
      const place = [...path, 'y', ...(listed ? [at] : [])];
      report(place, `there is no metric "${metric}"`, { got: metric, known: recordMetrics });
    });
    const series = [...parameters, 'environment', 'version'];
    if (chart.series !== undefined && !series.includes(chart.series)) {
      report([...path, 'series'], `"${chart.series}" is no parameter`, { got: chart.series, known: series });
    }
  });
}
