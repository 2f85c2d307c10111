import { uniqueBy } from '../unique.js';
import { lintInstances } from './instances.js';
import { lintMachine } from './machine.js';
import { lintMemory } from './memory-needed.js';
import { lintOnce } from './once.js';
import { lintOpenFiles } from './open-files.js';
import { lintPorts } from './ports-needed.js';
import { lintPrograms } from './programs.js';
import { lintWindow } from './ramp-in-window.js';
import { lintFaults } from './sampled-faults.js';
import { lintSamples } from './samples-needed.js';
import { lintTags } from './tags.js';
import { lintUnused } from './unused.js';
import { lintLittle } from './users-for-rate.js';

/** @import { Focus, Path } from '../../cases/error.js' */
/** @import { Case } from '../../cases/expand.js' */
/** @import { TomlTable } from '../../cases/toml.js' */

/**
 * @typedef {object} Lint
 * @property {'error' | 'warn' | 'info'} [level] warn by default
 * @property {Path} path
 * @property {string} message with the numbers
 * @property {string} [hint]
 * @property {Focus} [focus]
 * @property {number} [weight] of several cases with the same lint, the heaviest is shown
 *
 * @typedef {{ memory: number, rounds: number, openFiles: number | null, here: boolean,
 *   player?: 'native' | 'javascript', written: TomlTable }}
 *   LintContext memory: bytes that k6 may take; rounds: that each case is measured; player: what sends declared requests; openFiles: that a process may have, if
 *   that is known; here: the cases are to be run on this machine; written: the spec, with the case's profile over it
 */

// Each looks at one case, costs next to nothing, and says what would be found out after an hour.
const ofCases = [lintInstances, lintLittle, lintMemory, lintOpenFiles, lintPorts, lintSamples, lintWindow];
/** Alike for all cases of a scenario in an environment. */
const ofScenarios = [lintFaults, lintOnce, lintTags, lintUnused, lintMachine, lintPrograms];

/**
 * @param {Case[]} cases
 * @param {LintContext} context
 * @returns {(Lint & { benchCase: Case })[]} one for each place: the heaviest, which says how many others there are
 */
export function lintCases(cases, context) {
  const runnable = cases.filter(({ status, k6 }) => status === null && k6.executor);
  const firsts = uniqueBy(runnable, ({ scenario, environment }) => `${scenario} ${environment}`);
  const found = [
    ...ofCases.flatMap((lint) => runnable.flatMap((benchCase) => grouped(lint, benchCase, context))),
    ...ofScenarios.flatMap((lint) => firsts.flatMap((benchCase) => grouped(lint, benchCase, context))),
  ];
  const groups = groupBy(found);
  return [...groups.values()].map((group) => {
    const [heaviest] = [...group].sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
    const others = new Set(group.map(({ benchCase }) => benchCase.name)).size - 1;
    const suffix = heaviest.weight === undefined ? '' : which(heaviest.benchCase, others);
    return { ...heaviest, message: heaviest.message + suffix };
  });
}

/** The case that the numbers are of, where there are several. @param {Case} benchCase @param {number} others */
function which({ name, scenario, profile }, others) {
  const parts = [
    ...(name === scenario ? [] : [name]),
    ...(profile === null ? [] : [`profile ${profile}`]),
    ...(others ? [`${others} more`] : []),
  ];
  return parts.length ? ` (${parts.join('; ')})` : '';
}

/**
 * @param {(benchCase: Case, context: LintContext) => Lint[]} lint
 * @param {Case} benchCase
 * @param {LintContext} context
 */
const grouped = (lint, benchCase, context) =>
  lint(benchCase, context).map((found) => ({
    ...found,
    benchCase,
    group: JSON.stringify([lint.name, found.path, found.path.length ? '' : found.message]),
  }));

/** Map.groupBy comes with Node 21. @template {{ group: string }} T @param {T[]} items @returns {Map<string, T[]>} */
function groupBy(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return groups;
}
