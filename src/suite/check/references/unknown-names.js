import { counted } from '../../../base/format.js';
import { resolveExtends } from '../../cases/extends.js';
import { k6Metrics, recordThresholds, serviceMetrics } from '../../cases/metrics.js';
import { queriesOf } from '../../cases/queries.js';
import { recordMetrics } from '../../cases/record-metrics.js';
import { trySubMetric } from '../../cases/sub-metric.js';
import { checkCharts } from './charts.js';
import { checkGated } from './gated.js';
import { checkName } from './scope.js';
import { checkTables } from './unknown-cells.js';

/** @import { Path, Report } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */

/** What a metric from Prometheus cannot be called. */
const taken = new Set([
  ...recordMetrics,
  ...serviceMetrics,
  ...Object.keys(k6Metrics),
  ...Object.keys(recordThresholds),
]);

/**
 * Names in a spec that stand for something else in it, and must be there.
 * @param {TomlTable} spec without what the schema refused
 * @param {TomlTable} document the spec as it is: what was refused has a name all the same
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
  }
  const queries = Object.keys(spec.scenarios).flatMap((name) => queriesOf(spec, name));
  for (const { name, path } of queries) {
    if (taken.has(name)) report(path, `"${name}" is a metric already`, 'Give it another name.', 'key');
  }
  const filled = { ...spec, environments: resolved };
  checkGated(filled, report);
  checkCharts(filled, document, folder, report);
  checkTables(filled, document, report);
  checkPublished(spec, environments, report);
  checkChosen('calibrate', spec.calibrate, document, report);
  checkChosen('headline', spec.headline, document, report);
  if (spec.headline?.metric === undefined) return;
  const known = [...recordMetrics, ...queries.map(({ name }) => name)];
  checkName('metric', spec.headline.metric, known, ['headline', 'metric'], report);
}

/**
 * What a duet is calibrated with, and what the first page shows, is a scenario of the spec.
 * @param {'calibrate' | 'headline'} key
 * @param {TomlTable | undefined} chosen
 * @param {TomlTable} document
 * @param {Report} report
 */
function checkChosen(key, chosen, { scenarios, environments, profiles = {} }, report) {
  for (const [kind, table] of /** @type {const} */ ([
    ['scenario', scenarios],
    ['environment', environments],
    ['profile', profiles],
  ])) {
    if (chosen?.[kind] === undefined) continue;
    checkName(kind, chosen[kind], Object.keys(table), [key, kind], report);
  }
}

/**
 * Published numbers are tables; attachments and requirements may belong to environments.
 * @param {TomlTable} spec
 * @param {string[]} environments
 * @param {Report} report
 */
function checkPublished({ references = [], attachments = [], requires = [] }, environments, report) {
  references.forEach((/** @type {TomlTable} */ { columns, rows }, /** @type {number} */ i) => {
    if (columns)
      rows?.forEach((/** @type {unknown[]} */ row, /** @type {number} */ n) => {
        if (row.length === columns.length) return;
        const values = counted(row.length, 'value');
        report(['references', i, 'rows', n], `the line has ${values}, and there are ${columns.length} columns`);
      });
  });
  attachments.forEach((/** @type {TomlTable} */ { environment }, /** @type {number} */ i) => {
    if (environment === undefined) return;
    checkName('environment', environment, environments, ['attachments', i, 'environment'], report);
  });
  requires.forEach((/** @type {TomlTable} */ requirement, /** @type {number} */ i) => {
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
 * @param {TomlTable} scenario
 * @param {{ resolved: TomlTable, document: TomlTable }} given resolved: environments, without those that the schema refused
 * @param {Report} report
 */
function checkServices(name, scenario, { resolved, document }, report) {
  const places = scenario.environments ?? Object.keys(resolved);
  const services = places.flatMap((/** @type {string} */ environment) => [
    ...(resolved[environment]?.services ?? []),
    ...[document.environments[environment]?.services ?? []].flat(),
  ]);
  for (const key of Object.keys(scenario.thresholds ?? {})) {
    const { metric, selector } = trySubMetric(key) ?? { metric: '', selector: {} };
    if (!serviceMetrics.includes(metric) || selector.service === undefined) continue;
    const path = ['scenarios', name, 'thresholds', key];
    const service = services.find((/** @type {TomlTable} */ candidate) => candidate.name === selector.service);
    const known = [...new Set(services.map((/** @type {TomlTable} */ candidate) => String(candidate.name)))];
    if (!service) report(path, `there is no service "${selector.service}"`, { got: selector.service, known }, 'key');
    else if (service.sampled === false) {
      report(path, `the service "${service.name}" is not sampled`, 'Drop its `sampled = false`.', 'key');
    }
  }
}
