import type { Path, Report } from '../../cases/error.js';
import { partMetrics, recordMetrics } from '../../cases/record-metrics.js';
import type { TomlTable } from '../../cases/toml.js';
import { type ChartScope, checkName, checkWhere, reachOf, scenariosOf } from './scope.js';

/**
 * What tables name must be there.
 * @param spec environments that are like others filled in
 * @param document the spec as it is
 */
export function checkTables(spec: TomlTable, document: TomlTable, report: Report) {
  spec.tables?.forEach((table: TomlTable, i: number) => {
    const path = ['tables', i];
    if ((table.scenario === undefined) === (table.scenarios === undefined)) {
      const hint = 'Say whose cases it shows: scenario = "…", or scenarios = ["…", "…"].';
      if (!table.scenario) report(path, 'the table has no "scenario"', hint, 'key');
      else report([...path, 'scenario'], 'the table has both a scenario and scenarios', hint, 'key');
    }
    const named = scenariosOf(table, document, path, report);
    const reach = reachOf(spec, named);
    if (!named.length || reach.scenarios.length < named.length) return;
    checkLines(table, reach, path, report);
    checkWhere(table.where, reach, path, report);
    checkPublished(table, spec.references ?? [], [...path, 'published'], report);
    table.cells.forEach((cell: TomlTable, n: number) => {
      checkCell(cell, table.by, reach, [...path, 'cells', n], report);
    });
  });
}

/** What a line of a table may be, and is not swept: the names that it then has. */
const kinds = { environment: 'environments', scenario: 'scenarios', request: 'requests', group: 'groups' };

function checkLines({ by, change }: TomlTable, reach: ChartScope, path: Path, report: Report) {
  const known = [...Object.keys(kinds), 'case', ...reach.swept];
  if (!known.includes(by)) {
    report([...path, 'by'], `"${by}" is not swept, and nothing else that a line can be`, { got: by, known });
  } else if (by === 'group' && !reach.groups.length) {
    report([...path, 'by'], 'there are no groups', 'A request of a list has a `group`.');
  }
  if (!change || !Object.hasOwn(kinds, by)) return;
  const names = reach[kinds[by as 'group'] as 'groups'];
  for (const end of ['from', 'to']) checkName(by, change[end], names, [...path, 'change', end], report);
}

/** The reference must be there, with the rows and columns that the table names. */
function checkPublished({ published }: TomlTable, references: TomlTable[], path: Path, report: Report) {
  if (!published) return;
  const titles = references.map(({ title }) => String(title));
  const reference = references.find(({ title }) => title === published.reference);
  if (!reference) return checkName('reference', published.reference, titles, [...path, 'reference'], report);
  const known = {
    rows: (reference.rows ?? []).map(([first]: unknown[]) => String(first)),
    columns: (reference.columns ?? []).slice(1).map(String),
  };
  for (const kind of ['rows', 'columns'] as const) {
    for (const [ours, theirs] of Object.entries(published[kind] ?? {})) {
      if (known[kind].includes(theirs)) continue;
      const what = kind === 'rows' ? 'row' : 'column';
      report([...path, kind, ours], `the reference has no ${what} "${theirs}"`, { got: theirs, known: known[kind] });
    }
  }
}

function checkCell(cell: TomlTable, by: string, reach: ChartScope, path: Path, report: Report) {
  const { metric, metrics, text } = cell;
  if ((metric === undefined) === (metrics === undefined)) {
    const hint = 'One number is metric = "…"; several are metrics = ["…", "…"] with a text.';
    if (!metric) report(path, 'the cell has no "metric"', hint, 'key');
    else report([...path, 'metrics'], 'the cell has both a metric and metrics', hint, 'key');
    return;
  }
  const parts = ['request', 'group', 'service'] as const;
  const named = parts.filter((part) => cell[part] !== undefined);
  for (const part of named) checkName(part, cell[part], reach[`${part}s`], [...path, part], report);
  if (named.length > 1) {
    report([...path, named[1]], `a cell is of a ${named[0]} or of a ${named[1]}`, 'Drop one of them.', 'key');
  }
  const part = named[0] ?? parts.find((candidate) => candidate === by);
  const known = part ? partMetrics[part] : [...recordMetrics, ...reach.queries];
  const metricNames = (metrics ?? [metric]) as string[];
  metricNames.forEach((name, i) => {
    const at = metrics ? [...path, 'metrics', i] : [...path, 'metric'];
    checkName('metric', name, known, at, (_, message, hint) =>
      report(at, part ? `a ${part} has no metric "${name}"` : message, hint),
    );
  });
  const places = text?.split('{}').length - 1;
  if (text !== undefined && places !== metricNames.length) {
    const count = `${metricNames.length} metric${metricNames.length > 1 ? 's' : ''}`;
    report([...path, 'text'], `the text has room ({}) for ${places}, and the cell has ${count}`);
  } else if (text === undefined && metricNames.length > 1) {
    report(path, 'the cell does not say how its metrics are put together', 'Like text = "{} ({})".', 'key');
  }
}
