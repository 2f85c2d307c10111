import { hashOf } from '../compare-link.js';
import { caseOf, pageOf } from './catalog.js';
import { element, link } from './dom.js';
import { recordsBeside } from './records.js';
import { versionsBeside } from './versions.js';

/** @import { ComparedPair } from '../compare-link.js' */
/** @import { MetricNames } from '../metric-names.js' */
/** @import { Catalog, Listed } from './catalog.js' */

/**
 * What came of a choice. sentence: what it says; command: that judges the two; ready: where they were judged; shown: called
 * once the parts are in the page.
 * @typedef {{ sentence: string, parts?: HTMLElement[], command?: string, ready?: { text: string, href: string } | null,
 *   shown?: () => void }} CompareResult
 * @typedef {{ catalog: Catalog, names: MetricNames, titles: Map<string, string>, judged: Map<string, string[]> }}
 *   CompareOptions titles: of systems; judged: which versions a version was judged against
 */

/**
 * @param {ComparedPair} choice
 * @param {CompareOptions} options
 * @returns {Promise<CompareResult>}
 */
export async function outcomeOf(choice, options) {
  const { versions, records } = options.catalog;
  const sides = [choice.base, choice.head];
  const unknown = sides.filter((name) => name && !versions.has(name) && !records.has(name));
  if (unknown.length) return { sentence: unknown.map(isNotHere).join(' ') };
  if (!choice.base && !choice.head) return { sentence: 'Choose a base and a head.', parts: example(options.catalog) };
  if (!choice.base || !choice.head) return { sentence: `Choose a ${choice.base ? 'head' : 'base'} as well.` };
  const [base, head] = sides.map((name) => records.get(name));
  if (base && head) {
    return {
      ...(await recordsBeside(base, head, options)),
      ...judgedBy(filesOf(base, head), readyRecord(base, head, options)),
    };
  }
  if (!base && !head) {
    return { ...(await versionsBeside(choice, options)), ...judgedBy(sides.join(' '), readyVersion(choice, options)) };
  }
  const [version, record] = base ? [choice.head, choice.base] : [choice.base, choice.head];
  return { sentence: `${version} is a version, ${record} a record: choose a case for both, or for neither.` };
}

/** @param {string} name */
const isNotHere = (name) => `There is no ${name.includes('/') ? 'record' : 'version'} ${name} here.`;

/** @param {Catalog} catalog @returns {HTMLElement[]} the newest two */
function example({ versions }) {
  const [head, base] = versions.keys();
  return base
    ? [element('p', {}, 'The newest two: ', link(`${head} beside ${base}`, hashOf({ base, head })), '.')]
    : [];
}

/** @param {string} words @param {{ text: string, href: string } | null} ready */
const judgedBy = (words, ready) => ({ command: `npx benchfolio compare ${words}`, ready });

/** @param {...Listed} records */
const filesOf = (...records) =>
  records
    .map((one) =>
      one.kept
        ? `reports/versions/${one.version}/${caseOf(one)}.json`
        : `.bench/runs/${one.version}/${caseOf(one)}/record.json`,
    )
    .join(' ');

/** @param {ComparedPair} choice @param {CompareOptions} given */
const readyVersion = ({ base, head }, { judged }) =>
  judged.get(head)?.includes(base) ? { text: `${head} against ${base}`, href: `versions/${head}/compared.html` } : null;

/** @param {Listed} base @param {Listed} head @param {CompareOptions} given */
function readyRecord(base, head, { judged }) {
  if (caseOf(base) !== caseOf(head) || !judged.get(head.version)?.includes(base.version)) return null;
  return { text: `this case at ${head.version} against ${base.version}`, href: `${pageOf(head)}#compared` };
}
