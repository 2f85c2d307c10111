import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import type { Chart } from '../charts/chart.js';
import type { Draw } from '../charts/drawings.js';
import { trend } from '../charts/trend.js';
import type { Entry } from '../collect/collect-record.js';
import type { System } from '../collect/systems.js';
import { groupBy } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { entriesCsv, entriesJson } from './csv.js';
import { link, type Page } from './page.js';

/** So many of the newest versions are drawn: a page must not grow with each. */
const mostVersions = 30;

/**
 * Every metric of a scenario over versions, as small charts side by side: also of what the spec has no more, and of imports.
 * @returns one for each scenario that was measured in several versions
 */
export async function trendPages(system: System, overview: Overview, draw: Draw): Promise<Page[]> {
  const pages = [];
  for (const [name, entries] of groupBy(entriesOf(system.name, overview), ({ record }) => record.scenario)) {
    if (!hasTrends(entries)) continue;
    const recent = newestVersionsOf(entries);
    const sections = [];
    for (const [environment, inside] of groupBy(recent, (entry) => entry.environment)) {
      const section = sectionOf(inside, overview.names);
      sections.push({ ...section, environment, charts: await draw(section.charts) });
    }
    pages.push(pageOf(system, name, recent, sections));
  }
  return pages;
}

/** Where a scenario's page is. */
const trendsUrl = (system: string, scenario: string) => `systems/${system}/trends/${scenario}`;

/**
 * A link to the page of a scenario.
 * @returns null: it has none
 */
export function trendsLink(system: string, scenario: string, overview: Overview): ReturnType<typeof link> | null {
  const entries = entriesOf(system, overview).filter(({ record }) => record.scenario === scenario);
  return hasTrends(entries) ? link('Every metric over versions', trendsUrl(system, scenario)) : null;
}

/** @returns oldest version first */
const entriesOf = (system: string, { versions }: Overview): Entry[] =>
  versions.flatMap(({ entries }) => entries.filter((entry) => entry.system === system));

/**
 * Whether a case was measured in several versions.
 * @param entries of one scenario
 */
const hasTrends = (entries: Entry[]) =>
  new Set(entries.map((entry) => `${entry.environment}/${entry.case}`)).size < entries.length;

/** @param entries oldest version first */
function newestVersionsOf(entries: Entry[]) {
  const newest = new Set([...new Set(entries.map(({ version }) => version))].slice(-mostVersions));
  return entries.filter(({ version }) => newest.has(version));
}

/** @param name of the scenario */
function pageOf(system: System, name: string, entries: Entry[], sections: Record<string, unknown>[]): Page {
  const scenario = system.scenarios.find((summary) => summary.name === name);
  const title = scenario?.title ?? name;
  return {
    kind: 'trends',
    url: trendsUrl(system.name, name),
    title: `${title} over versions`,
    time: entries.at(-1)?.record.time ?? '',
    description: `Every metric of “${title}” of ${system.title} over versions, oldest first.`,
    model: { path: [link(system.title, `systems/${system.name}`, scenario && `scenario-${name}`)], sections },
    files: {
      json: `${JSON.stringify({ system: system.name, scenario: name, records: entriesJson(entries) })}\n`,
      csv: entriesCsv(entries),
    },
  };
}

/**
 * The metrics of a scenario in one environment. Those that are the same in each version are named, not drawn; the key and the
 * note that charts share stand above them.
 * @param entries oldest version first
 */
function sectionOf(entries: Entry[], names: MetricNames) {
  const metrics = [...new Set(entries.flatMap(({ record }) => Object.keys(record.metrics)))].sort(
    (a, b) => names.orderOf(a) - names.orderOf(b) || a.localeCompare(b),
  );
  const all = metrics.map((metric) => trend(metric, entries, names, nameOf)).filter((chart) => chart !== null);
  const moving = all.filter((chart) => !isConstant(chart));
  const { key = [], note = '' } = [...moving].sort((a, b) => b.key.length - a.key.length)[0] ?? {};
  const isShared = (chart: Chart) => JSON.stringify(chart.key) === JSON.stringify(key);
  return {
    key,
    note,
    charts: moving.map((chart) => ({
      ...chart,
      key: isShared(chart) ? [] : chart.key,
      note: chart.note === note ? '' : chart.note,
    })),
    constant: all.filter(isConstant).map(({ title }) => title),
  };
}

/** Whether each line is level, and its rounds were equal. */
const isConstant = ({ data }: Chart) =>
  data.points.every(({ y, low, high }) => [y, low, high].flat().every((value) => value === y[0]));
