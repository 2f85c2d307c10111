import { readsParameters } from '../../cases/definition.js';
import { resolveExtends } from '../../cases/extends.js';
import { placeholdersOf } from '../../cases/placeholders.js';

/** @import { Case } from '../../cases/expand.js' */
/** @import { Lint, LintContext } from './lints.js' */

/**
 * A swept parameter that nothing uses makes the same case many times.
 * @param {Case} benchCase
 * @param {LintContext} context
 * @returns {Lint[]}
 */
export function lintUnused(benchCase, { written }) {
  if (readsParameters(benchCase)) return [];
  const { sweep, ...scenario } = written.scenarios[benchCase.scenario];
  const places = resolveExtends(written.environments, () => {});
  const used = new Set(
    placeholdersOf([scenario, written.metrics, places[benchCase.environment]]).map(({ name }) => name),
  );
  return Object.keys(benchCase.values)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['scenarios', benchCase.scenario, 'sweep', name],
      focus: /** @type {const} */ ('key'),
      message: `nothing uses \${${name}}: all of its cases would be the same`,
    }));
}
