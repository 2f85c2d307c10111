import { readsParameters } from '../../spec/definition.js';
import { resolveExtends } from '../../spec/extends.js';
import { placeholdersOf } from '../../spec/placeholders.js';

/** @import { Case } from '../../spec/expand.js' */

/**
 * A swept parameter that nothing uses makes the same case many times.
 * @param {Case} item
 * @param {import('./index.js').Context} context
 * @returns {import('./index.js').Lint[]}
 */
export function lintUnused(item, { written }) {
  if (readsParameters(item)) return [];
  const { sweep, ...scenario } = written.scenarios[item.scenario];
  const places = resolveExtends(written.environments, () => {});
  const used = new Set(placeholdersOf([scenario, written.metrics, places[item.environment]]).map(({ name }) => name));
  return Object.keys(item.values)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['scenarios', item.scenario, 'sweep', name],
      focus: /** @type {const} */ ('key'),
      message: `nothing uses \${${name}}: all of its cases would be the same`,
    }));
}
