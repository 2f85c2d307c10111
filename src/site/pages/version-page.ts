import type { Fingerprint } from '../../../reports/schema/types.d.ts';
import { counted, formatBytes, formatTime } from '../../base/format.js';
import { countsOf } from '../model/latest.js';
import { nearestOf, type Version } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { badge } from './badge.js';
import { caseTable } from './case-table.js';
import { changeOf, sentenceOf, type VersionChange } from './changes.js';
import { compareHref } from './compare-page.js';
import { comparisonUrl } from './comparison-page.js';
import { comparableJson, entriesCsv } from './csv.js';
import { tablesOf } from './declared-results.js';
import { link, type Page } from './page.js';

/** All systems at one version. */
export async function versionPage(version: Version, overview: Overview): Promise<Page> {
  const { entries, kept, version: name, time, url } = version;
  const commits = [...new Set(entries.map(({ record }) => record.commit).filter((commit) => commit !== null))];
  const isLastRun = overview.run?.id === name || entries.some(({ lastRun }) => lastRun);
  const missing = isLastRun ? overview.missing : [];
  const named = new Set([...entries, ...missing].map(({ system }) => system));
  const systems = overview.systems.filter((system) => named.has(system.name));
  const ofSystem = (name: string) => entries.filter(({ system }) => system === name);
  const tables = await Promise.all(
    systems.map((system) => tablesOf(system, ofSystem(system.name), overview, `${url}/${system.name}.table`)),
  );
  const tableList = tables.flatMap(({ json }, i) => json.map((table) => ({ system: systems[i].name, ...table })));
  const change = changeOf(version, overview);
  const title = kept ? `Version ${name}` : 'Last run, not kept';
  return {
    kind: 'version',
    url,
    title,
    time,
    description: `${title}: ${systems.map((system) => system.title).join(', ')}, measured ${formatTime(time)}.`,
    model: {
      kept,
      id: name,
      time: formatTime(time),
      commits: commits.map((commit) => commit.slice(0, 10)),
      change: change && {
        ...link(`Against ${change.bases.join(', ')}`, comparisonUrl(version)),
        sentence: sentenceOf(change.judged.comparison),
      },
      compare: entries.length ? compareHref({ base: baseName(version, change, overview), head: name }) : null,
      machines: [...new Set(entries.map(({ record }) => machineText(record.fingerprint)))],
      versions: neighboursOf(version, overview),
      systems: systems.map((system, i) => {
        const own = ofSystem(system.name);
        const failed = missing.filter((missingCase) => missingCase.system === system.name);
        return {
          ...link(system.title, `systems/${system.name}`),
          name: system.name,
          counts: countsOf(own, failed, overview),
          table: caseTable(own, overview, failed),
          tables: tables[i].shown,
        };
      }),
    },
    files: {
      json: `${JSON.stringify({ version: name, kept, tables: tableList, records: comparableJson(entries) })}\n`,
      csv: entriesCsv(entries),
      svg: badge(name, countsOf(entries, missing, overview)),
    },
    beneath: Object.assign({}, ...tables.map(({ files }) => files)),
  };
}

/** The versions around one: a list of all would make every page another one with each version. */
function neighboursOf(version: Version, { versions }: Overview) {
  const around = nearestOf(versions, version);
  return {
    links: around.map((other) => ({ ...link(nameOf(other), other.url), current: other === version })),
    all: around.length < versions.length ? link('all', 'index', 'versions') : null,
  };
}

/**
 * The version that another is compared with unless you choose one: its baseline, else the version before it.
 * @returns undefined: it is the first
 */
function baseName(version: Version, change: VersionChange | null, { versions }: Overview): string | undefined {
  const judged = versions.find((other) => change?.bases.includes(other.version));
  return (judged ?? versions.slice(0, versions.indexOf(version)).findLast(({ entries }) => entries.length))?.version;
}

/** @param fingerprint of an imported record most of it is not known */
const machineText = ({ cpu_model: cpu, cores, memory_bytes: memory, runner, os, k6 }: Fingerprint) =>
  cores === null
    ? cpu === 'unknown'
      ? 'a machine that is not known (imported)'
      : `${cpu} (imported)`
    : `${cpu}, ${counted(cores, 'core')}, ${formatBytes(memory)}, ${os}, ${runner} runner, k6 ${k6}`;
