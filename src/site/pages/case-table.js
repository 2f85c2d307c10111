import { spreadOf } from '../../../site/assets/js/metric-rows.js';
import { formatAs, inColumn, withUnit } from '../../base/format.js';
import { fromIntendedStart, intendedOf } from '../model/intended.js';
import { byCase, caseKey, differenceOf, groupBy, nearestOf, valuesText } from '../model/series.js';
import { changeTags, nameOf, outcomeOf } from '../model/site-model.js';
import { headlineOf, tagsOf, verdictOf } from '../model/verdict.js';
import { withDecimalPoints } from './decimal-points.js';
import { hrefOf } from './page.js';

/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Missing, Overview } from '../model/site-model.js' */
/** @import { Verdict } from '../model/verdict.js' */

/**
 * @typedef {{ metric: string, title: string, unit: string }} CaseColumn
 * @typedef {{ text: string, title: string, href: string, invalid: boolean, intended?: boolean, published?: boolean,
 *   pad?: string }} CaseCell pad: see decimal-points.js; intended: it is a latency from the intended start, in place of one that does not count; published: it is of a reference
 * @typedef {{ title: string, href: string, verdict: Verdict, cells: CaseCell[], current?: boolean,
 *   tags: { word: string, text: string }[] }} CaseRow href: '' where there is no record
 * @typedef {{ columns: CaseColumn[], groups: { title: string, note: string, rows: CaseRow[] }[] }} CaseTable
 */

/**
 * Cases with their verdicts and most telling metrics; each number leads to its record.
 * @param {Entry[]} entries one for each case
 * @param {Overview} overview
 * @param {Missing[]} [missing] cases of the run that gave no record
 * @returns {CaseTable} a group for each scenario in an environment
 */
export function caseTable(entries, overview, missing = []) {
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

/**
 * Rows of several versions each say theirs: the title of the group cannot.
 * @param {Entry[]} entries
 * @param {CaseRow[]} rows
 * @returns {CaseRow[]}
 */
const ofVersions = (entries, rows) =>
  new Set(entries.map(({ version }) => version)).size === 1
    ? rows
    : rows.map((row, i) => ({ ...row, tags: [...row.tags, { word: nameOf(entries[i]), text: 'its version' }] }));

/** Numbers of all groups stand beneath each other. @param {CaseTable['groups']} groups @returns {CaseTable['groups']} */
function withPoints(groups) {
  const rows = withDecimalPoints(groups.flatMap((group) => group.rows.map(({ cells }) => cells))).values();
  return groups.map((group) => ({
    ...group,
    rows: group.rows.map((row) => ({ ...row, cells: rows.next().value ?? row.cells })),
  }));
}

/**
 * Scenarios as in the spec, the cases of each by their swept values.
 * @param {Entry[]} entries
 * @param {Overview} overview
 */
function inSpecOrder(entries, { systems }) {
  const placeOf = (/** @type {Entry} */ { system, record }) =>
    systems.find(({ name }) => name === system)?.scenarios.findIndex(({ name }) => name === record.scenario) ?? -1;
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b) || byCase(a, b));
}

/**
 * One case at the versions around a record's and at the newest, newest first; what makes a version another series
 * stands beside its verdict. The system's page has all of them.
 * @param {Entry} entry the one that the others are set beside
 * @param {Overview} overview
 * @returns {CaseTable}
 */
export function versionTable(entry, overview) {
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
 * @param {Entry[]} entries of one scenario in one environment
 * @param {boolean} severalVersions whether the table has several
 * @param {Overview} overview
 * @returns {{ title: string, note: string }}
 */
function groupTitle([first, ...others], severalVersions, { systems }) {
  const system = systems.find(({ name }) => name === first.system);
  const scenario = system?.scenarios.find(({ name }) => name === first.record.scenario)?.title ?? first.record.scenario;
  const environment = (system?.environments.length ?? 0) > 1 ? first.environment : '';
  const isMixed = others.some(({ version }) => version !== first.version);
  const note = [environment, severalVersions && !isMixed && nameOf(first)].filter(Boolean).join(', ');
  if (!others.length && !note && !Object.keys(first.record.values).length) return { title: '', note };
  return { title: scenario, note };
}

/**
 * The columns in which anything stands, each with as many decimals as its numbers need.
 * @param {Entry[]} entries
 * @param {MetricNames} names
 */
function columnsOf(entries, names) {
  const records = entries.map(({ record }) => record);
  return headlineOf(records, names.headline).flatMap((metric) => {
    const found = entries.map(({ record }) => record.metrics[metric]).filter((value) => value && value.value !== null);
    if (!found.length) return [];
    // What does not count is not shown, and may be of quite another size.
    const instead = entries.flatMap(({ record }) => intendedOf(record.metrics, metric)?.metric ?? []);
    const values = [...found.filter(({ valid }) => valid), ...instead].map(({ value }) => value);
    const print = inColumn(names.printOf(metric, found[0].unit, values), values);
    return [{ metric, title: names.titleOf(metric), unit: print.unit, print }];
  });
}

/**
 * @param {Entry} entry
 * @param {ReturnType<typeof columnsOf>} columns
 * @param {Overview} overview
 * @returns {CaseRow}
 */
const rowOf = (entry, columns, overview) => ({
  title: valuesText(entry.record) || entry.record.title || entry.case,
  href: hrefOf(entry.url),
  verdict: verdictOf(entry, outcomeOf(overview, entry)),
  tags: [...tagsOf(entry), ...changeTags(overview, entry)],
  cells: columns.map((column) => cellOf(entry, column)),
});

/**
 * @param {Entry} entry
 * @param {ReturnType<typeof columnsOf>[number]} column
 * @returns {CaseCell}
 */
function cellOf({ record, url }, { metric, print }) {
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

/** @param {string} why @returns {CaseCell} */
const nothing = (why) => ({ text: '–', title: why, href: '', invalid: false });

/**
 * @param {Missing} missingCase
 * @param {number} width
 * @returns {CaseRow}
 */
const missingRow = ({ environment, case: name, verdict, reason }, width) => ({
  title: `${name} · ${environment}`,
  href: '',
  verdict: { verdict, reason },
  tags: [],
  cells: Array.from({ length: width }, () => nothing(reason ?? 'not measured')),
});
