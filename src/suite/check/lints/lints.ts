import type { Focus, Path } from '../../cases/error.js';
import type { Case } from '../../cases/expand.js';
import type { TomlTable } from '../../cases/toml.js';
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

export type Lint = {
  /** warn by default */
  level?: 'error' | 'warn' | 'info';
  path: Path;
  /** with the numbers */
  message: string;
  hint?: string;
  focus?: Focus;
  /** of several cases with the same lint, the heaviest is shown */
  weight?: number;
};

/**
 * memory: bytes that k6 may take; rounds: that each case is measured; player: what sends declared requests; openFiles: that a
 * process may have, if that is known; here: the cases are to be run on this machine; written: the spec, with the case's
 * profile over it
 */
export type LintContext = {
  memory: number;
  rounds: number;
  openFiles: number | null;
  here: boolean;
  player?: 'native' | 'javascript';
  written: TomlTable;
};

// Each looks at one case, costs next to nothing, and says what would be found out after an hour.
const ofCases = [lintInstances, lintLittle, lintMemory, lintOpenFiles, lintPorts, lintSamples, lintWindow];
/** Alike for all cases of a scenario in an environment. */
const ofScenarios = [lintFaults, lintOnce, lintTags, lintUnused, lintMachine, lintPrograms];

/** @returns one for each place: the heaviest, which says how many others there are */
export function lintCases(cases: Case[], context: LintContext): (Lint & { benchCase: Case })[] {
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

/** The case that the numbers are of, where there are several. */
function which({ name, scenario, profile }: Case, others: number) {
  const parts = [
    ...(name === scenario ? [] : [name]),
    ...(profile === null ? [] : [`profile ${profile}`]),
    ...(others ? [`${others} more`] : []),
  ];
  return parts.length ? ` (${parts.join('; ')})` : '';
}

const grouped = (lint: (benchCase: Case, context: LintContext) => Lint[], benchCase: Case, context: LintContext) =>
  lint(benchCase, context).map((found) => ({
    ...found,
    benchCase,
    group: JSON.stringify([lint.name, found.path, found.path.length ? '' : found.message]),
  }));

/** Map.groupBy comes with Node 21. */
function groupBy<T extends { group: string }>(items: T[]): Map<string, T[]> {
  const groups = new Map();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return groups;
}
