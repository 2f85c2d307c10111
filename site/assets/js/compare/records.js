import { differenceOf, placeDifferenceOf } from '../comparable.js';
import { formatBytes, formatDuration, formatTime } from '../format.js';
import { metricGroups } from '../metric-rows.js';
import { shownVerdict } from '../shown-verdict.js';
import { thresholdRow } from '../threshold-row.js';
import { valuesText } from '../values.js';
import { caseOf, pageOf } from './catalog.js';
import { besideChart, enliven } from './chart.js';
import { element, headOf, link, scrolling, section, verdict } from './dom.js';
import { fetchJson } from './fetch.js';
import { metricsTable } from './metrics.js';

/** @import { BenchRecord } from '../../../../reports/schema/types.d.ts' */
/** @import { Listed } from './catalog.js' */
/** @import { CompareOptions } from './outcome.js' */

/**
 * @typedef {{ record: BenchRecord, listed: Listed, page: string }} RecordSide
 */

/**
 * All that two records say.
 * @param {Listed} before
 * @param {Listed} after
 * @param {CompareOptions} options
 * @returns {Promise<{ sentence: string, parts: HTMLElement[], shown: () => void }>}
 */
export async function recordsBeside(before, after, options) {
  const [base, head] = await Promise.all(
    [before, after].map(async (listed) => ({ listed, page: pageOf(listed), record: await fetchJson(listed.record) })),
  );
  const figure = besideChart(base, head);
  return {
    sentence: sentenceOf(base, head),
    parts: [
      differences(base, head, options),
      element('div', { class: 'charts' }, figure, thresholdTable(base.record, head.record)),
      section('metrics', 'All metrics', element('div', { class: 'groups' }, groupTables(base, head, options))),
      ...['groups', 'requests', 'services']
        .map((part) => partTables(part, base, head, options))
        .filter((one) => one !== null),
    ],
    shown: () => void (figure && enliven(figure)),
  };
}

/** @param {RecordSide} base @param {RecordSide} head */
function sentenceOf(base, head) {
  if (base.listed === head.listed) return 'Base and head are one record.';
  const place = placeDifferenceOf(base.record, head.record);
  if (caseOf(base.listed) !== caseOf(head.listed)) {
    return `Two different cases, ${place ? `and ${place}` : 'on comparable machines'}: the differences are listed above the numbers.`;
  }
  const difference = differenceOf(base.record, head.record);
  return difference ? `Not comparable: ${difference}.` : 'Comparable: the same definition, machine and k6.';
}

/** @param {RecordSide} base @param {RecordSide} head @param {CompareOptions} given */
function differences(base, head, { titles }) {
  const rows = [base, head].map(({ record, listed }) => factsOf(record, listed, titles));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const isOther = (/** @type {string} */ name) => rows[0].get(name) !== rows[1].get(name);
  const lines = names.filter(isOther).map((name) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      rows.map((row) => element('td', {}, row.get(name) ?? '–')),
    ),
  );
  const sides = element(
    'tr',
    {},
    element('th', { scope: 'row' }, 'record'),
    [base, head].map(({ record, page }) =>
      element('td', {}, link(titleOf(record), page), ' ', verdict(shownVerdict(record))),
    ),
  );
  const findings = [base, head].some(({ record }) => record.findings.length)
    ? [
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, 'findings'),
          [base, head].map(({ record }) =>
            element(
              'td',
              {},
              record.findings.map(({ level, text }) => element('div', {}, `${level}: ${text}`)),
            ),
          ),
        ),
      ]
    : [];
  const alike = names.filter((name) => !isOther(name)).map((name) => `${name} ${rows[0].get(name)}`);
  const table = element(
    'table',
    { class: 'differs' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ['what', 'base', 'head'].map((one) => element('th', { scope: 'col' }, one)),
      ),
    ),
    element('tbody', {}, sides, lines, findings),
  );
  return section(
    'differs',
    'What differs',
    scrolling('What differs', table),
    element('p', { class: 'facts' }, `The same: ${alike.join(' · ')}.`),
  );
}

/** @param {BenchRecord} record */
const titleOf = (record) => [record.title || record.scenario, valuesText(record)].filter(Boolean).join(', ');

/**
 * @param {BenchRecord} record
 * @param {Listed} listed
 * @param {Map<string, string>} titles of systems
 * @returns {Map<string, string>}
 */
const factsOf = (record, listed, titles) =>
  new Map([
    ['version', listed.version],
    ['system', titles.get(listed.system) ?? listed.system],
    ['environment', listed.environment],
    ['case', listed.case],
    ['profile', record.profile ?? 'none'],
    ['player', record.imported?.format ?? record.player ?? 'javascript'],
    ['definition', record.definition.replace(/^sha256:/, '').slice(0, 10)],
    ['measured', formatTime(record.time)],
    ['commit', `${record.commit?.slice(0, 10) ?? 'unknown'}${record.dirty ? ' with changes' : ''}`],
    ['rounds', `${record.rounds}, ${formatDuration(record.window.seconds)} measured`],
    ['seed', String(record.seed ?? 'none')],
    ['memory of services', memoryOf(record)],
    ...Object.entries(record.fingerprint).map(
      ([name, value]) =>
        /** @type {[string, string]} */ (
          name === 'memory_bytes' ? ['memory', formatBytes(Number(value))] : [name.replaceAll('_', ' '), String(value)]
        ),
    ),
  ]);

/** As what the memory of services counts. @param {BenchRecord} record */
const memoryOf = (record) => (record.memory ?? 'rss').toUpperCase();

/** @param {RecordSide} base @param {RecordSide} head @param {CompareOptions} given */
const groupTables = (base, head, { names }) =>
  metricGroups({ ...base.record.metrics, ...head.record.metrics }, names).map(({ title, rows }) =>
    metricsTable(title, rows, numbersOf(base), numbersOf(head), names),
  );

/** @param {RecordSide} side */
const numbersOf = ({ record, page }) => ({
  metrics: record.metrics,
  memory: memoryOf(record),
  hrefOf: (/** @type {string} */ name) => `${page}#${name}`,
});

/**
 * Requests, services and groups of requests, each beside the one of its name.
 * @param {string} part
 * @param {RecordSide} base
 * @param {RecordSide} head
 * @param {CompareOptions} given
 */
function partTables(part, base, head, { names }) {
  const [before, after] = [base, head].map(({ record }) => {
    /** @type {Record<string, { metrics: any }>} */
    const parts = /** @type {any} */ (record)[part] ?? {};
    return new Map(Object.entries(parts));
  });
  const all = [...new Set([...before.keys(), ...after.keys()])];
  if (!all.length) return null;
  const tables = all.map((name) => {
    const sides = [before, after].map((parts, i) => ({
      metrics: parts.get(name)?.metrics ?? {},
      memory: memoryOf([base, head][i].record),
      hrefOf: () => `${[base, head][i].page}#${part}`,
    }));
    const known = [...new Set(sides.flatMap(({ metrics }) => Object.keys(metrics)))]
      .sort((a, b) => names.orderOf(a) - names.orderOf(b))
      .map((metric) => ({ name: metric, title: names.titleOf(metric) }));
    return metricsTable(name, known, sides[0], sides[1], names);
  });
  return section(part, part[0].toUpperCase() + part.slice(1), element('div', { class: 'groups' }, tables));
}

/** @param {BenchRecord} base @param {BenchRecord} head */
function thresholdTable(base, head) {
  const rows = [base, head].map(
    (record) =>
      new Map(
        record.thresholds.map((one) => [
          JSON.stringify([one.metric, one.selector, one.expr, one.level]),
          thresholdRow(one),
        ]),
      ),
  );
  const lines = [...new Map([...rows[0], ...rows[1]])].map(([key, { metric, tags, expr, level }]) =>
    element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        metric,
        tags ? element('small', {}, ` ${tags}`) : null,
        ' ',
        element('code', {}, expr),
        level === 'warn' ? [' ', element('span', { class: 'tag' }, 'warns')] : [],
      ),
      rows.map((known) => observed(known.get(key))),
    ),
  );
  const table = element('table', {}, headOf(['expected', 'base', 'head']), element('tbody', {}, lines));
  return element(
    'section',
    { class: 'thresholds', 'aria-labelledby': 'thresholds' },
    element('h2', { id: 'thresholds' }, 'Thresholds'),
    lines.length ? scrolling('Thresholds', table) : element('p', {}, 'None.'),
  );
}

/** @param {ReturnType<typeof thresholdRow> | undefined} row */
const observed = (row) =>
  row
    ? element(
        'td',
        { class: 'number' },
        element('span', { title: String(row.exact) }, row.text),
        ' ',
        row.unit ? element('small', {}, `${row.unit} `) : null,
        verdict(row.outcome, row.reason),
      )
    : element('td', { class: 'number' }, element('small', {}, 'not expected'));
