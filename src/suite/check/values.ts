import type { Path, Report } from '../cases/error.js';
import type { Case } from '../cases/expand.js';
import type { TomlTable } from '../cases/toml.js';

/**
 * Values that tables and charts pick cases by, and no case has in any profile: the page would be empty there.
 * @param cases of all profiles
 */
export function lintValues(spec: TomlTable, cases: Case[], warn: Report) {
  for (const { path, shown, scenarios } of shownIn(spec)) {
    const own = cases.filter(({ scenario }) => scenarios.includes(scenario));
    for (const [key, value] of Object.entries(shown.where ?? {})) {
      lintValue(own, key, value, [...path, 'where', key], warn);
    }
    for (const [end, value] of Object.entries(shown.change ?? {})) {
      lintValue(own, shown.by, value, [...path, 'change', end], warn);
    }
  }
}

function lintValue(cases: Case[], key: string, selected: unknown, path: Path, warn: Report) {
  const swept = cases.filter(({ values }) => Object.hasOwn(values, key));
  const known = new Set(swept.map(({ values }) => String(values[key])));
  if (!known.size) return; // it is not swept
  for (const value of [selected].flat()) {
    if (known.has(String(value))) continue;
    const hint = known.size > 24 ? undefined : `There are ${[...known].join(', ')}.`;
    warn(path, `no case has ${key} = ${JSON.stringify(value)}`, hint);
  }
}

/** All tables and charts, with the scenarios that they show. */
function shownIn({
  tables = [],
  charts = [],
  scenarios,
}: TomlTable): { path: Path; shown: TomlTable; scenarios: string[] }[] {
  const lists: [Path, TomlTable[], string | null][] = [
    [['tables'], tables, null],
    [['charts'], charts, null],
    ...Object.keys(scenarios).map(
      (name) => [['scenarios', name, 'charts'], scenarios[name].charts ?? [], name] as [Path, TomlTable[], string],
    ),
  ];
  return lists.flatMap(([path, list, name]) =>
    list.map((shown, i) => ({
      path: [...path, i],
      shown,
      scenarios: [name ?? shown.scenario ?? shown.scenarios ?? []].flat(),
    })),
  );
}
