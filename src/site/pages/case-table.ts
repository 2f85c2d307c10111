import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { spreadOf } from '../../../site/assets/js/metric-rows.js';
import { formatAs, inColumn, withUnit } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import { fromIntendedStart, intendedOf } from '../model/intended.js';
import { byCase, caseKey, differenceOf, groupBy, nearestOf, valuesText } from '../model/series.js';
import { changeTags, type Missing, nameOf, type Overview, outcomeOf } from '../model/site-model.js';
import { headlineOf, tagsOf, type Verdict, verdictOf } from '../model/verdict.js';
import { withDecimalPoints } from './decimal-points.js';
import { hrefOf } from './page.js';

type CaseColumn = { metric: string; title: string; unit: string };

/**
 * pad: see decimal-points.ts; intended: it is a latency from the intended start, in place of one that does not count;
 * published: it is of a reference
 */
export type CaseCell = {
  text: string;
  title: string;
  href: string;
  invalid: boolean;
  intended?: boolean;
  published?: boolean;
  pad?: string;
};

/** href: '' where there is no record */
type CaseRow = {
  title: string;
  href: string;
  verdict: Verdict;
  cells: CaseCell[];
  current?: boolean;
  tags: { word: string; text: string }[];
};

type CaseTable = { columns: CaseColumn[]; groups: { title: string; note: string; rows: CaseRow[] }[] };

/**
 * Cases with their verdicts and most telling metrics; each number leads to its record.
 * @param entries one for each case
 * @param missing cases of the run that gave no record
 * @returns a group for each scenario in an environment
 */
export function caseTable(entries: Entry[], overview: Overview, missing: Missing[] = []): CaseTable {
  const sorted = inSpecOrder(entries, overview);
  const columns = columnsOf(sorted, overview.names);
  const severalVersions = new Set(entries.map(({ version }) => version)).size > 1;
  const scenarios = [...groupBy(sorted, ({ environment, record }) => `${record.scenario} ${environment}`).values()];
  const groups = scenarios.map((inside) => ({
    ...groupTitle(inside, severalVersions, overview),
    rows: ofVersions(
      inside,
      inside.map((entry) => rowOf(entry, columns, overview)),
    ),
  }));
  const rows = missing.map((missingCase) => missingRow(missingCase, columns.length));
  const without = rows.length ? [{ title: 'No record', note: 'of the last run', rows }] : [];
  return { columns, groups: withPoints([...groups, ...without]) };
}

/** Rows of several versions each say theirs: the title of the group cannot. */
const ofVersions = (entries: Entry[], rows: CaseRow[]): CaseRow[] =>
  new Set(entries.map(({ version }) => version)).size === 1
    ? rows
    : rows.map((row, i) => ({ ...row, tags: [...row.tags, { word: nameOf(entries[i]), text: 'its version' }] }));

/** Numbers of all groups stand beneath each other. */
function withPoints(groups: CaseTable['groups']): CaseTable['groups'] {
  const rows = withDecimalPoints(groups.flatMap((group) => group.rows.map(({ cells }) => cells))).values();
  return groups.map((group) => ({
    ...group,
    rows: group.rows.map((row) => ({ ...row, cells: rows.next().value ?? row.cells })),
  }));
}

/** Scenarios as in the spec, the cases of each by their swept values. */
function inSpecOrder(entries: Entry[], { systems }: Overview) {
  const placeOf = ({ system, record }: Entry) =>
    systems.find(({ name }) => name === system)?.scenarios.findIndex(({ name }) => name === record.scenario) ?? -1;
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b) || byCase(a, b));
}

/**
 * One case at the versions around a record's and at the newest, newest first; the reason for another series is
 * beside a version's verdict. The system's page has all of them.
 * @param entry the one that the others are set beside
 */
export function versionTable(entry: Entry, overview: Overview): CaseTable {
  const series = overview.series.get(caseKey(entry)) ?? [];
  const near = nearestOf(series, entry);
  const entries = series.filter((other, i) => near.includes(other) || i === series.length - 1).reverse();
  const columns = columnsOf(entries, overview.names);
  const rows = entries.map((other) => {
    const difference = differenceOf(other, entry);
    const row = rowOf(other, columns, overview);
    return {
      ...row,
      title: nameOf(other),
      current: other === entry,
      tags: [...row.tags, ...(difference ? [{ word: difference, text: 'not comparable with this record' }] : [])],
    };
  });
  return { columns, groups: withPoints([{ title: '', note: '', rows }]) };
}

/**
 * A single case says by itself what it is.
 * @param entries of one scenario in one environment
 * @param severalVersions whether the table has several
 */
function groupTitle(
  [first, ...others]: Entry[],
  severalVersions: boolean,
  { systems }: Overview,
): { title: string; note: string } {
  const system = systems.find(({ name }) => name === first.system);
  const scenario = system?.scenarios.find(({ name }) => name === first.record.scenario)?.title ?? first.record.scenario;
  const environment = (system?.environments.length ?? 0) > 1 ? first.environment : '';
  const isMixed = others.some(({ version }) => version !== first.version);
  const note = [environment, severalVersions && !isMixed && nameOf(first)].filter(Boolean).join(', ');
  if (!others.length && !note && !Object.keys(first.record.values).length) return { title: '', note };
  return { title: scenario, note };
}

/** The columns in which anything stands, each with as many decimals as its numbers need. */
function columnsOf(entries: Entry[], names: MetricNames) {
  const records = entries.map(({ record }) => record);
  return headlineOf(records, names.headline).flatMap((metric) => {
    const found = entries.map(({ record }) => record.metrics[metric]).filter((value) => value && value.value !== null);
    if (!found.length) return [];
    // A number that does not count is not drawn: its size may be quite another.
    const instead = entries.flatMap(({ record }) => intendedOf(record.metrics, metric)?.metric ?? []);
    const values = [...found.filter(({ valid }) => valid), ...instead].map(({ value }) => value);
    const print = inColumn(names.printOf(metric, found[0].unit, values), values);
    return [{ metric, title: names.titleOf(metric), unit: print.unit, print }];
  });
}

const rowOf = (entry: Entry, columns: ReturnType<typeof columnsOf>, overview: Overview): CaseRow => ({
  title: valuesText(entry.record) || entry.record.title || entry.case,
  href: hrefOf(entry.url),
  verdict: verdictOf(entry, outcomeOf(overview, entry)),
  tags: [...tagsOf(entry), ...changeTags(overview, entry)],
  cells: columns.map((column) => cellOf(entry, column)),
});

function cellOf({ record, url }: Entry, { metric, print }: ReturnType<typeof columnsOf>[number]): CaseCell {
  const found = record.metrics[metric];
  if (!found || found.value === null) return nothing(found?.reason ?? 'not measured');
  const instead = intendedOf(record.metrics, metric);
  if (instead) {
    const { name, metric: intended } = instead;
    const title = `${intended.value} ${intended.unit}, ${fromIntendedStart}`;
    return { text: formatAs(intended.value, print), href: hrefOf(url, name), invalid: false, intended: true, title };
  }
  const [text, href] = [formatAs(found.value, print), hrefOf(url, metric)];
  if (!found.valid) return { text, href, invalid: true, title: `does not count: ${found.reason ?? 'not valid'}` };
  const spread = spreadOf(found, print);
  return {
    text,
    href,
    invalid: false,
    title: `${found.value} ${found.unit}${spread ? `, rounds ${withUnit(spread, print.unit)}` : ''}`,
  };
}

const nothing = (why: string): CaseCell => ({ text: '–', title: why, href: '', invalid: false });

const missingRow = ({ environment, case: name, verdict, reason }: Missing, width: number): CaseRow => ({
  title: `${name} · ${environment}`,
  href: '',
  verdict: { verdict, reason },
  tags: [],
  cells: Array.from({ length: width }, () => nothing(reason ?? 'not measured')),
});
