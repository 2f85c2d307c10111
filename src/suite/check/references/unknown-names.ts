import { counted } from '../../../base/format.js';
import type { Report } from '../../cases/error.js';
import { resolveExtends } from '../../cases/extends.js';
import { k6Metrics, recordThresholds, serviceMetrics } from '../../cases/metrics.js';
import { queriesOf } from '../../cases/queries.js';
import { recordMetrics } from '../../cases/record-metrics.js';
import { trySubMetric } from '../../cases/sub-metric.js';
import type { TomlTable } from '../../cases/toml.js';
import { checkCharts } from './charts.js';
import { checkGated } from './gated.js';
import { checkName } from './scope.js';
import { checkTables } from './unknown-cells.js';

/** What a metric from Prometheus cannot be called. */
const taken = new Set([
  ...recordMetrics,
  ...serviceMetrics,
  ...Object.keys(k6Metrics),
  ...Object.keys(recordThresholds),
]);

/**
 * Names in a spec that stand for something else in it, and must be there.
 * @param spec without what the schema refused
 * @param document the spec as it is: what was refused has a name all the same
 * @param folder of the spec
 */
export function checkReferences(spec: TomlTable, document: TomlTable, folder: string, report: Report) {
  const environments = Object.keys(document.environments);
  const resolved = resolveExtends(spec.environments, () => {}); // expanding says what is wrong with it
  for (const kind of ['environments', 'scenarios']) refuseAlike(kind, Object.keys(spec[kind]), report);
  for (const [name, scenario] of Object.entries<TomlTable>(spec.scenarios)) {
    scenario.environments?.forEach((environment: string, i: number) => {
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

/** Calibration and the first page name a scenario of the spec. */
function checkChosen(
  key: 'calibrate' | 'headline',
  chosen: TomlTable | undefined,
  { scenarios, environments, profiles = {} }: TomlTable,
  report: Report,
) {
  for (const [kind, table] of [
    ['scenario', scenarios],
    ['environment', environments],
    ['profile', profiles],
  ] as const) {
    if (chosen?.[kind] === undefined) continue;
    checkName(kind, chosen[kind], Object.keys(table), [key, kind], report);
  }
}

/** Published numbers are tables; attachments and requirements may belong to environments. */
function checkPublished(
  { references = [], attachments = [], requires = [] }: TomlTable,
  environments: string[],
  report: Report,
) {
  references.forEach(({ columns, rows }: TomlTable, i: number) => {
    if (columns)
      rows?.forEach((row: unknown[], n: number) => {
        if (row.length === columns.length) return;
        const values = counted(row.length, 'value');
        report(['references', i, 'rows', n], `the line has ${values}, and there are ${columns.length} columns`);
      });
  });
  attachments.forEach(({ environment }: TomlTable, i: number) => {
    if (environment === undefined) return;
    checkName('environment', environment, environments, ['attachments', i, 'environment'], report);
  });
  requires.forEach((requirement: TomlTable, i: number) => {
    if (!requirement.program && !requirement.file)
      report(['requires', i], `requirement ${i + 1} names neither a program nor a file`, undefined, 'key');
    requirement.environments?.forEach((environment: string, n: number) => {
      checkName('environment', environment, environments, ['requires', i, 'environments', n], report);
    });
  });
}

/** Cases become files, and some file systems do not tell letters' case apart. */
function refuseAlike(kind: string, names: string[], report: Report) {
  names.forEach((name, i) => {
    const other = names.slice(0, i).find((before) => before.toLowerCase() === name.toLowerCase());
    if (other) report([kind, name], `${kind} "${other}" and "${name}" differ only in case, and become file names`);
  });
}

/** @param given resolved: environments, without those that the schema refused */
function checkServices(
  name: string,
  scenario: TomlTable,
  { resolved, document }: { resolved: TomlTable; document: TomlTable },
  report: Report,
) {
  const places = scenario.environments ?? Object.keys(resolved);
  const services = places.flatMap((environment: string) => [
    ...(resolved[environment]?.services ?? []),
    ...[document.environments[environment]?.services ?? []].flat(),
  ]);
  for (const key of Object.keys(scenario.thresholds ?? {})) {
    const { metric, selector } = trySubMetric(key) ?? { metric: '', selector: {} };
    if (!serviceMetrics.includes(metric) || selector.service === undefined) continue;
    const path = ['scenarios', name, 'thresholds', key];
    const service = services.find((candidate: TomlTable) => candidate.name === selector.service);
    const known = [...new Set<string>(services.map((candidate: TomlTable) => String(candidate.name)))];
    if (!service) report(path, `there is no service "${selector.service}"`, { got: selector.service, known }, 'key');
    else if (service.sampled === false) {
      report(path, `the service "${service.name}" is not sampled`, 'Drop its `sampled = false`.', 'key');
    }
  }
}
