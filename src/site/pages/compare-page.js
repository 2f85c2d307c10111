import { hashOf } from '../../../site/assets/js/compare-link.js';
import { basesOf } from './comparison-page.js';

/** @import { ComparedPair } from '../../../site/assets/js/compare-link.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Overview } from '../model/site-model.js' */
/** @import { Page } from './page.js' */

/**
 * Any two versions or records side by side, in the browser. What there is to choose from it fetches: the page is as
 * small with thousands of records as with ten.
 * @param {Overview} overview
 * @returns {Page}
 */
export function comparePage({ versions, systems, comparisons, names }) {
  const judged = versions.flatMap(({ version }) => {
    const judged = comparisons.get(version);
    return judged ? [[version, basesOf(judged)]] : [];
  });
  return {
    kind: 'compare',
    url: 'compare',
    title: 'Compare',
    time: versions.at(-1)?.time ?? '',
    description: 'Any two versions or records side by side.',
    model: {
      given: {
        titles: Object.fromEntries(systems.map(({ name, title }) => [name, title])),
        judged: Object.fromEntries(judged),
        names: names.table,
      },
    },
    files: {},
  };
}

/**
 * Where two are set side by side.
 * @param {Partial<ComparedPair>} choice
 * @returns {string}
 */
export const compareHref = (choice) => `/compare.html${hashOf(choice)}`;

/**
 * What a record is called there.
 * @param {Entry} entry
 */
export const recordName = ({ version, system, environment, case: name }) =>
  [version, system, environment, name].join('/');
