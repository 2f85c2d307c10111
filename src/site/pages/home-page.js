import { formatTime } from '../format.js';
import { lastChanges } from './changes.js';
import { countsOf, standingOf } from './current.js';
import { entriesList } from './csv.js';
import { nameOf } from './overview.js';
import { link } from './page.js';
import { groupBy } from './series.js';

/** @typedef {import('./overview.js').Overview} Overview */

/**
 * The first page: every system with its latest verdicts, what changed last, and the versions.
 * @param {Overview} overview
 * @returns {import('./page.js').Page}
 */
export function homePage(overview) {
  const { versions, systems, title } = overview;
  const newest = [...versions].reverse();
  return {
    kind: 'home', url: 'index', title, time: newest[0]?.time ?? '',
    description: `Load benchmarks of ${systems.map((system) => system.title).join(', ')}.`,
    model: {
      systems: systems.map((system) => systemRow(system, newest, overview)),
      changes: lastChanges(overview),
      versions: newest.map((version) => ({
        ...link(nameOf(version), version.url), time: formatTime(version.time), kept: version.kept,
        systems: [...groupBy(version.entries, ({ system }) => system)].map(([name, entries]) => ({
          name: systems.find((system) => system.name === name)?.title ?? name,
          counts: countsOf(entries, [], overview),
        })),
      })),
    },
    files: { json: `${JSON.stringify({ title, records: entriesList(versions.flatMap(({ entries }) => entries)) })}\n` },
  };
}

/**
 * @param {import('../collect/systems.js').System} system
 * @param {import('./series.js').Version[]} newest newest first
 * @param {Overview} overview
 */
function systemRow(system, newest, overview) {
  const { name, title, description } = system;
  const version = newest.find(({ entries }) => entries.some((entry) => entry.system === name));
  return {
    ...link(title, `systems/${name}`), description, counts: standingOf(system, overview),
    version: version && { ...link(nameOf(version), version.url), time: formatTime(version.time) },
  };
}
