import type { Path, Report } from './error.js';
import { refuseTag } from './requests.js';
import type { TomlTable } from './toml.js';

/**
 * The groups of requests that are timed as one: those that a list of requests has, or a script announces.
 * @param written a scenario
 * @param sent its requests
 */
export function readGroups(
  { groups, script }: TomlTable,
  sent: TomlTable[] | undefined,
  path: Path,
  report: Report,
): string[] {
  if (groups && script === undefined) {
    report([...path, 'groups'], 'only a script announces its groups', 'Requests have a `group` of their own.', 'key');
  }
  groups?.forEach((name: string, i: number) => {
    refuseTag('group', name, [...path, 'groups', i], report);
  });
  const grouped = (sent ?? []).flatMap(({ group }, i) => (group === undefined ? [] : [{ group, i }]));
  for (const { group, i } of grouped) refuseTag('group', group, [...path, 'requests', i, 'group'], report);
  if (grouped.length && sent?.some(({ weight }) => weight !== undefined)) {
    report(
      [...path, 'requests', grouped[0].i, 'group'],
      'with weights an iteration sends one request: there is nothing to group',
      'Drop the weights, or the groups.',
      'key',
    );
  }
  return [...new Set([...(groups ?? []), ...grouped.map(({ group }) => group)])];
}
