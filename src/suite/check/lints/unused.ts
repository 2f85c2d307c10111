import { readsParameters } from '../../cases/definition.js';
import type { Case } from '../../cases/expand.js';
import { resolveExtends } from '../../cases/extends.js';
import { placeholdersOf } from '../../cases/placeholders.js';
import type { Lint, LintContext } from './lints.js';

/** A swept parameter that nothing uses makes the same case many times. */
export function lintUnused(benchCase: Case, { written }: LintContext): Lint[] {
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
      focus: 'key' as const,
      message: `nothing uses \${${name}}: all of its cases would be the same`,
    }));
}
