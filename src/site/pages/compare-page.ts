import { type ComparedPair, hashOf } from '../../../site/assets/js/compare-link.js';
import type { Entry } from '../collect/collect-record.js';
import type { Overview } from '../model/site-model.js';
import { basesOf } from './comparison-page.js';
import type { Page } from './page.js';

/**
 * Any two versions or records side by side, in the browser. It fetches the choices: the page is as
 * small with thousands of records as with ten.
 */
export function comparePage({ versions, systems, comparisons, names }: Overview): Page {
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

/** Where two are set side by side. */
export const compareHref = (choice: Partial<ComparedPair>): string => `/compare.html${hashOf(choice)}`;

/** The name of a record there. */
export const recordName = ({ version, system, environment, case: name }: Entry) =>
  [version, system, environment, name].join('/');
