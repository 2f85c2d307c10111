import { changeOf } from '../change.js';
import { differenceOf } from '../comparable.js';
import { hashOf } from '../compare-link.js';
import { formatAs, inColumn } from '../format.js';
import { spreadOf } from '../metric-rows.js';
import { byCase, caseOf, pageOf } from './catalog.js';
import { doesNotCount, element, headOf, link, scrolling, section, tag } from './dom.js';
import { fetchJson } from './fetch.js';

/** @import { Counted } from '../change.js' */
/** @import { ComparableRecord } from '../comparable.js' */
/** @import { ComparedPair } from '../compare-link.js' */
/** @import { Print } from '../format.js' */
/** @import { MetricNames } from '../metric-names.js' */
/** @import { Listed } from './catalog.js' */
/** @import { CompareOptions } from './outcome.js' */

/**
 * @typedef {Listed & ComparableRecord & { metrics: Record<string, VersionMetric> }} VersionRecord as in
 *   a version's JSON
 * @typedef {Counted & { min?: number, max?: number }} VersionMetric min, max: of the rounds, if there were several
 * @typedef {{ base?: VersionRecord, head?: VersionRecord, any: VersionRecord, difference: string | null }} RecordPair any: one
 *   that is there
 * @typedef {{ metric: string, title: string, own: string, print: Print }} MetricColumn own: the unit of records
 */

/**
 * The most telling numbers of every case that one of two versions has.
 * @param {ComparedPair} choice
 * @param {CompareOptions} given
 * @returns {Promise<{ sentence: string, parts: HTMLElement[] }>}
 */
export async function versionsBeside(choice, { names, titles }) {
  const [base, head] = await Promise.all([choice.base, choice.head].map((name) => fetchJson(`versions/${name}.json`)));
  const pairs = pairsOf(base.records, head.records);
  const columns = columnsOf(pairs, names);
  return {
    sentence: sentenceOf(pairs, choice),
    parts: [...bySystem(pairs)].map(([system, inside]) =>
      section(
        `of-${system}`,
        titles.get(system) ?? system,
        scrolling(`Cases of ${titles.get(system) ?? system}`, tableOf(inside, columns, choice)),
      ),
    ),
  };
}

/** @param {RecordPair[]} pairs @returns {Map<string, RecordPair[]>} */
const bySystem = (pairs) =>
  new Map(
    [...new Set(pairs.map(({ any }) => any.system))].map((system) => [
      system,
      pairs.filter(({ any }) => any.system === system),
    ]),
  );

/** @param {VersionRecord[]} before @param {VersionRecord[]} after @returns {RecordPair[]} */
function pairsOf(before, after) {
  const [bases, heads] = [before, after].map((all) => new Map(all.map((entry) => [caseOf(entry), entry])));
  return [...new Map([...bases, ...heads]).values()].sort(byCase).map((any) => {
    const [base, head] = [bases.get(caseOf(any)), heads.get(caseOf(any))];
    return { base, head, any, difference: base && head ? obstacleOf(base, head) : null };
  });
}

/** @param {VersionRecord} base @param {VersionRecord} head */
const obstacleOf = (base, head) =>
  differenceOf(base, head) ??
  ['base', 'head'].find((_side, i) => [base, head][i].verdict === 'invalid')?.concat(' is invalid') ??
  null;

/** @param {RecordPair[]} pairs @param {ComparedPair} choice */
function sentenceOf(pairs, choice) {
  const both = pairs.filter(({ base, head }) => base && head);
  const reasons = [...new Set(both.flatMap(({ difference }) => difference ?? []))];
  const different = both.filter(({ difference }) => difference).length;
  const comparable = !different ? 'all' : different === both.length ? 'none' : `${different} not`;
  const only = (/** @type {'base' | 'head'} */ side) => pairs.filter((pair) => pair[side]).length - both.length;
  const parts = [
    `${cases(both.length)} in both`,
    both.length && `, ${comparable} comparable`,
    different && ` (${reasons.join(', ')})`,
    only('base') && `; ${cases(only('base'))} only in ${choice.base}`,
    only('head') && `; ${cases(only('head'))} only in ${choice.head}`,
  ];
  return `${choice.head} beside ${choice.base}: ${parts.filter(Boolean).join('')}.`;
}

/** @param {number} count */
const cases = (count) => `${count || 'no'} ${count === 1 ? 'case' : 'cases'}`;

/**
 * @param {RecordPair[]} pairs
 * @param {MetricNames} names
 * @returns {MetricColumn[]}
 */
const columnsOf = (pairs, names) =>
  names.headline.flatMap((metric) => {
    const found = pairs
      .flatMap(({ base, head }) => [base?.metrics[metric], head?.metrics[metric]])
      .filter((one) => one && one.value !== null)
      .map((one) => /** @type {VersionMetric} */ (one));
    if (!found.length) return [];
    const [{ unit: own }] = found;
    // A number that does not count is not drawn: its size may be quite another.
    const shown = found.filter((one) => one.valid && one.unit === own).map(({ value }) => value);
    return [{ metric, title: names.titleOf(metric), own, print: inColumn(names.printOf(metric, own, shown), shown) }];
  });

/** @param {RecordPair[]} pairs of a system @param {MetricColumn[]} columns @param {ComparedPair} choice */
function tableOf(pairs, columns, choice) {
  const titles = columns.map(({ title, print: { unit } }) =>
    [title, unit ? element('small', {}, ` ${unit}`) : ''].filter(Boolean),
  );
  const head = headOf(['case', ...titles]);
  const environments = [...new Set(pairs.map(({ any }) => any.environment))];
  return element(
    'table',
    { class: 'cases beside' },
    head,
    environments.map((environment) =>
      element(
        'tbody',
        {},
        element(
          'tr',
          { class: 'group' },
          element('th', { scope: 'rowgroup', colspan: String(columns.length + 1) }, environment),
        ),
        pairs.filter(({ any }) => any.environment === environment).map((pair) => rowOf(pair, columns, choice)),
      ),
    ),
  );
}

/** @param {RecordPair} pair @param {MetricColumn[]} columns @param {ComparedPair} choice */
function rowOf(pair, columns, choice) {
  const { base, head, any, difference } = pair;
  const lone = !base || !head;
  const parts = lone
    ? tag(`only in ${base ? choice.base : choice.head}`)
    : difference && tag(difference, 'not comparable');
  const href = lone
    ? pageOf(any)
    : hashOf({ base: `${choice.base}/${caseOf(any)}`, head: `${choice.head}/${caseOf(any)}` });
  return element(
    'tr',
    { 'data-case': caseOf(any) },
    element('th', { scope: 'row' }, link(any.case, href), parts ? element('div', {}, parts) : null),
    columns.map((column) => cellOf(pair, column)),
  );
}

/** @param {RecordPair} pair @param {MetricColumn} column */
function cellOf({ base, head }, column) {
  const [a, b] = [base, head].map((entry) => entry?.metrics[column.metric]);
  if (!base || !head) return element('td', { class: 'number' }, numberOf(base ?? head, a ?? b, column));
  const { text, why } = changeOf(a, b);
  return element(
    'td',
    { class: 'number' },
    element('span', { class: 'change', title: why || null }, text || '–'),
    element(
      'span',
      { class: 'pair' },
      numberOf(base, a, column),
      element('span', { 'aria-hidden': 'true' }, ' → '),
      element('span', { class: 'hidden' }, ' to '),
      numberOf(head, b, column),
    ),
  );
}

/**
 * @param {VersionRecord | undefined} entry
 * @param {VersionMetric | undefined} metric
 * @param {MetricColumn} column
 * @returns {Node | string} a number that leads to its record
 */
function numberOf(entry, metric, { metric: name, own, print }) {
  const nothing = (/** @type {string} */ why) => element('span', { title: why }, '–');
  if (!entry || !metric || metric.value === null) return nothing(metric?.reason ?? 'not measured');
  if (metric.unit !== own) return nothing(`it is in ${metric.unit}, the column in ${own}`);
  const href = `${pageOf(entry)}#${name}`;
  if (!metric.valid) return element('a', { href }, doesNotCount(metric.reason));
  const samples = [metric.min, metric.max].filter((value) => value !== undefined);
  const spread = spreadOf(/** @type {any} */ ({ samples }), print);
  const title = `${metric.value} ${metric.unit}${spread ? `, rounds ${spread}` : ''}`;
  return element('a', { href, title }, formatAs(metric.value, print));
}
