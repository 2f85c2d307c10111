import { formatTime } from '../../base/format.js';
import type { Draw } from '../charts/drawings.js';
import { type ComparedWith, history } from '../charts/history.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import type { ScenarioSummary, System } from '../collect/systems.js';
import { countsOf, currentOf, lastMeasuredOf, latestOf, newestOf, standingOf, unmeasuredOf } from '../model/latest.js';
import { groupBy } from '../model/series.js';
import { comparedOf, nameOf, type Overview } from '../model/site-model.js';
import { badge } from './badge.js';
import { calibrationUrl } from './calibration-page.js';
import { caseTable } from './case-table.js';
import { chainParts } from './chain-part.js';
import { entriesCsv, entriesJson } from './csv.js';
import { drawDeclared } from './declared-charts.js';
import { asDeclared, resultsOf } from './declared-results.js';
import { gonePart } from './gone-part.js';
import { duetRows, sidesOf } from './lately.js';
import { loadThatRan } from './load-that-ran.js';
import { link, type Page } from './page.js';
import { trendsLink } from './trends-page.js';

/** How a system stands, what it is, and scenario by scenario how its numbers came to that. */
export async function systemPage(system: System, overview: Overview, draw: Draw): Promise<Page> {
  const entries = overview.versions.flatMap((version) => version.entries.filter(isOf(system)));
  const missing = overview.missing.filter(isOf(system));
  const newest = lastMeasuredOf(entries);
  const duets = overview.duets.filter(({ outcome }) => outcome.cases.some(isOf(system))).reverse();
  const current = currentOf(system, overview);
  const counts = standingOf(system, overview);
  const {
    tables,
    problems,
    model: results,
  } = await resultsOf(system, entries, newestOf(system, overview), overview, draw);
  const known = new Set(system.scenarios.map(({ name }) => name));
  const { conclusions = [], ...about } = system.about;
  const scenarios = [];
  for (const scenario of system.scenarios) {
    const part = await scenarioPart(scenario, entries, overview, draw);
    const shown = current.filter(({ record }) => record.scenario === scenario.name);
    const records = shown.map(({ record }) => record);
    scenarios.push({
      ...part,
      ...casesPart(shown, overview),
      ...loadThatRan(scenario, records, overview.names),
      tables: results.tables.filter((table) => table.scenario === scenario.name),
      trends: trendsLink(system.name, scenario.name, overview),
    });
  }
  return {
    kind: 'system',
    url: `systems/${system.name}`,
    title: system.title,
    time: newest?.record.time ?? '',
    description: system.description || `Load benchmarks of ${system.title}.`,
    model: {
      about: Object.entries(about).map(([name, texts]) => ({ name, texts })),
      conclusions,
      description: system.description,
      environments: system.environments,
      spec: system.spec,
      scenarios,
      index: scenarios.filter(({ dots }) => dots.length > 0).length > 1,
      gone: await gonePart(system, overview, draw),
      chains: await chainParts(system.name, overview, draw),
      duets: duetRows(duets, overview),
      results: { ...results, tables: results.tables.filter(({ scenario }) => !known.has(scenario ?? '')) },
      counts,
      unmeasured: unmeasuredOf(system, overview),
      table: caseTable(
        current.filter(({ record }) => !known.has(record.scenario)),
        overview,
        missing,
      ),
      calibration: overview.calibrations.has(system.name) ? link('Calibration', calibrationUrl(system)) : null,
      latest: newest
        ? { ...link(nameOf(newest), `versions/${newest.version}`), time: formatTime(newest.record.time) }
        : duets.length > 0 && { ...link(sidesOf(duets[0]), duets[0].url), time: formatTime(duets[0].time) },
    },
    files: {
      json: `${JSON.stringify({ system: system.name, tables: tables.json, records: entriesJson(entries) })}\n`,
      csv: entriesCsv(entries),
      svg: badge(system.title, counts, unmeasuredOf(system, overview).length),
    },
    beneath: tables.files,
    problems: [...problems, ...scenarios.flatMap((scenario) => scenario.problems)].map((message) => ({
      file: `specs/${system.name}/spec.toml`,
      message,
    })),
  };
}

const isOf =
  ({ name }: { name: string }) =>
  (other: { system: string }) =>
    other.system === name;

/** The cases of a scenario, as last measured: a dot each for the index, and their table. */
function casesPart(entries: Entry[], overview: Overview) {
  const { columns, groups } = caseTable(entries, overview);
  return {
    counts: countsOf(entries, [], overview),
    // the section has the scenario's title
    table: { columns, groups: groups.map(({ note, rows }) => ({ title: note, note: '', rows })) },
    dots: groups.flatMap(({ note, rows }) =>
      rows.map(({ title, href, verdict }) => ({
        title: [note, title].filter(Boolean).join(', '),
        href,
        verdict: verdict.verdict,
      })),
    ),
  };
}

/** @param all of the system, oldest version first */
async function scenarioPart({ charts, gate, ...shown }: ScenarioSummary, all: Entry[], overview: Overview, draw: Draw) {
  const { names } = overview;
  const entries = all.filter(({ record }) => record.scenario === shown.name);
  const places = [...groupBy(entries, ({ environment }) => environment).values()];
  const across = places.length > 1 ? charts.filter(isAcross) : [];
  const within = charts.filter((chart) => !across.includes(chart));
  const environments = [];
  for (const inside of places) {
    const measured = asDeclared(inside);
    const latest = latestOf(measured);
    const name = inside[0].environment;
    const own = within.filter(({ where = {} }) => !where.environment || [where.environment].flat().includes(name));
    environments.push({
      name,
      ...(await drawDeclared(own, ({ series }) => (series === 'version' ? measured : latest), names, draw)),
      history: await draw([
        ...gate.map((metric) => history(metric, measured, names, nameOf, comparedWith(overview))),
        ...searchedIn(inside).map((metric) => history(metric, inside, names, nameOf, comparedWith(overview))),
      ]),
    });
  }
  const everywhere = places.flatMap((inside) => latestOf(asDeclared(inside)));
  const over = await drawDeclared(across, () => everywhere, names, draw);
  const problems = [...new Set([over, ...environments].flatMap((chartSet) => chartSet.problems))];
  return { ...shown, environments, charts: over.charts, undrawn: over.undrawn, problems };
}

/** @returns the metrics that searches found */
const searchedIn = (entries: Entry[]): string[] => [
  ...new Set(entries.flatMap(({ record }) => record.search?.metric ?? [])),
];

const comparedWith =
  (overview: Overview): ComparedWith =>
  (entry, metric) => {
    const { comparison, metrics = [] } = comparedOf(overview, entry) ?? {};
    const found = metrics.find(
      (comparedMetric) =>
        comparedMetric.metric === metric && comparedMetric.scale === 'ratio' && comparedMetric.low !== null,
    );
    if (!comparison?.baseline || typeof found?.base !== 'number') return null;
    return { baseline: comparison.baseline, base: found.base, tolerance: found.tolerance };
  };

/** Whether a chart sets environments side by side. */
const isAcross = ({ x, series }: ChartSpec) => x === 'environment' || series === 'environment';
