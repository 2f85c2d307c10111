import { counted } from '../../format.js';
import { resolveExtends } from '../../spec/extends.js';
import { k6Metrics, recordThresholds, serviceMetrics } from '../../spec/metrics.js';
import { queriesOf } from '../../spec/queries.js';
import { recordMetrics } from '../../spec/record-metrics.js';
import { trySubMetric } from '../../spec/sub-metric.js';
import { checkCharts } from './charts.js';
import { checkName } from './scope.js';
import { checkTables } from './tables.js';

/** @import { Path, Report } from '../../spec/error.js' */

/** What a metric from Prometheus cannot be called. */
const taken = new Set([
  ...recordMetrics,
  ...serviceMetrics,
  ...Object.keys(k6Metrics),
  ...Object.keys(recordThresholds),
]);

/**
 * Names in a spec that stand for something else in it, and must be there.
 * @param {Record<string, any>} spec without what the schema refused
 * @param {Record<string, any>} document the spec as it is: what was refused has a name all the same
 * @param {string} folder of the spec
 * @param {Report} report
 */
export function checkReferences(spec, document, folder, report) {
  const environments = Object.keys(document.environments);
  const resolved = resolveExtends(spec.environments, () => {}); // expanding says what is wrong with it
  for (const kind of ['environments', 'scenarios']) refuseAlike(kind, Object.keys(spec[kind]), report);
  for (const [name, scenario] of Object.entries(spec.scenarios)) {
    scenario.environments?.forEach((/** @type {string} */ environment, /** @type {number} */ i) => {
      if (environments.includes(environment)) return;
      report(['scenarios', name, 'environments', i], `there is no environment "${environment}"`, {
        got: environment,
        known: environments,
      });
    });
    checkServices(name, scenario, { resolved, document }, report);
    checkCompare(scenario.compare, queriesOf(spec, name), ['scenarios', name, 'compare'], report);
  }
  const queries = Object.keys(spec.scenarios).flatMap((name) => queriesOf(spec, name));
  for (const { name, path } of queries) {
    if (taken.has(name)) report(path, `"${name}" is a metric already`, 'Give it another name.', 'key');
  }
  checkCompare(spec.compare, queries, ['compare'], report);
  const filled = { ...spec, environments: resolved };
  checkCharts(filled, document, folder, report);
  checkTables(filled, document, report);
  checkPublished(spec, environments, report);
  checkCalibrate(spec.calibrate, document, report);
}

/**
 * What a duet is calibrated with is a scenario of the spec.
 * @param {Record<string, any> | undefined} calibrate
 * @param {Record<string, any>} document
 * @param {Report} report
 */
function checkCalibrate(calibrate, { scenarios, environments }, report) {
  for (const [kind, table] of /** @type {const} */ ([
    ['scenario', scenarios],
    ['environment', environments],
  ])) {
    if (calibrate?.[kind] === undefined) continue;
    checkName(kind, calibrate[kind], Object.keys(table), ['calibrate', kind], report);
  }
}

/** @param {{ name: string }[]} items */
const namesOf = (items) => items.map(({ name }) => name);

/**
 * What can fail a comparison is a metric of the record.
 * @param {Record<string, any> | undefined} compare
 * @param {ReturnType<typeof queriesOf>} queries
 * @param {Path} path
 * @param {Report} report
 */
function checkCompare(compare, queries, path, report) {
  const known = [...new Set([...recordMetrics, ...namesOf(queries)])];
  compare?.gate?.forEach((/** @type {string} */ metric, /** @type {number} */ i) => {
    checkName('metric', metric, known, [...path, 'gate', i], report);
    const query = queries.find(({ name }) => name === metric);
    if (!query || query.written.direction) return;
    report(
      [...path, 'gate', i],
      `"${metric}" has no direction: whether more of it is worse is not known`,
      'Give its [metrics] table direction = "lower" or "higher".',
    );
  });
  for (const metric of Object.keys(compare?.tolerances ?? {})) {
    const place = [...path, 'tolerances', metric];
    checkName('metric', metric, known, place, (at, message, hint) => report(at, message, hint, 'key'));
  }
}

/**
 * Published numbers are tables; attachments and requirements may belong to environments.
 * @param {Record<string, any>} spec
 * @param {string[]} environments
 * @param {Report} report
 */
function checkPublished({ references = [], attachments = [], requires = [] }, environments, report) {
  references.forEach((/** @type {any} */ { columns, rows }, /** @type {number} */ i) => {
    if (columns)
      rows?.forEach((/** @type {any[]} */ row, /** @type {number} */ n) => {
        if (row.length === columns.length) return;
        const values = counted(row.length, 'value');
        report(['references', i, 'rows', n], `the line has ${values}, and there are ${columns.length} columns`);
      });
  });
  attachments.forEach((/** @type {any} */ { environment }, /** @type {number} */ i) => {
    if (environment === undefined) return;
    checkName('environment', environment, environments, ['attachments', i, 'environment'], report);
  });
  requires.forEach((/** @type {any} */ requirement, /** @type {number} */ i) => {
    if (!requirement.program && !requirement.file)
      report(['requires', i], `requirement ${i + 1} names neither a program nor a file`, undefined, 'key');
    requirement.environments?.forEach((/** @type {string} */ environment, /** @type {number} */ n) => {
      checkName('environment', environment, environments, ['requires', i, 'environments', n], report);
    });
  });
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

/**
 * @param {string} name
 * @param {any} scenario
 * @param {{ resolved: any, document: any }} given resolved: environments, without those that the schema refused
 * @param {Report} report
 */
function checkServices(name, scenario, { resolved, document }, report) {
  const places = scenario.environments ?? Object.keys(resolved);
  const services = places.flatMap((/** @type {string} */ place) => [
    ...(resolved[place]?.services ?? []),
    ...[document.environments[place]?.services ?? []].flat(),
  ]);
  for (const key of Object.keys(scenario.thresholds ?? {})) {
    const { metric, selector } = trySubMetric(key) ?? { metric: '', selector: {} };
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
