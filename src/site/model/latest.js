import { byCase, groupBy } from './series.js';
import { outcomeOf } from './site-model.js';
import { countVerdicts, verdictOf } from './verdict.js';

/** @typedef {import('../collect/record.js').Entry} Entry */

/**
 * Of one scenario in one environment, the cases of the newest version.
 * @param {Entry[]} entries oldest version first
 */
export const latestOf = (entries) => entries.filter(({ version }) => version === entries.at(-1)?.version).sort(byCase);

/**
 * How a system stands: scenario by scenario what was measured last, since a run may measure only some of them. What the
 * spec has dropped no longer counts.
 * @param {import('../collect/systems.js').System} system
 * @param {import('./site-model.js').Overview} overview
 * @returns {Entry[]}
 */
export function currentOf({ name, scenarios, spec }, { versions }) {
  const known = new Set(scenarios.map((scenario) => scenario.name));
  const entries = versions
    .flatMap((version) => version.entries)
    .filter(({ system, record }) => system === name && (spec === null || known.has(record.scenario)));
  const groups = groupBy(
    entries,
    ({ record, environment }) => `${record.scenario} ${environment} ${record.search ? 'find' : ''}`,
  );
  return [...groups.values()].flatMap(latestOf);
}

/**
 * @param {Entry[]} entries
 * @param {import('./site-model.js').Missing[]} missing cases without a record
 * @param {import('./site-model.js').Overview} overview
 */
export const countsOf = (entries, missing, overview) =>
  countVerdicts([...entries.map((entry) => verdictOf(entry, outcomeOf(overview, entry))), ...missing]);

/**
 * How a system stands, in numbers.
 * @param {import('../collect/systems.js').System} system
 * @param {import('./site-model.js').Overview} overview
 */
export const standingOf = (system, overview) =>
  countsOf(
    currentOf(system, overview),
    overview.missing.filter((one) => one.system === system.name),
    overview,
  );
