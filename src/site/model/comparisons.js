import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { jqOver } from '../../base/tools/jq.js';
import { benchDir } from '../../suite/suite.js';
import { digestOf, judgingPrograms, keepWith, keptWith } from '../collect/cached.js';
import { caseKey, differenceOf, groupBy, versionsOf } from './series.js';

/** @import { BenchRecord, Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { TomlTable } from '../../suite/cases/toml.js' */
/** @import { ComparisonPlan } from '../../records/judge.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { Duet } from '../collect/collect-duets.js' */
/** @import { CollectedSite } from '../collect/collect.js' */
/** @import { LastRun } from '../collect/last-run.js' */
/** @import { Entry } from '../collect/collect-record.js' */

/**
 * How a version came out against those before it, or a run against its baseline. Said by reports/comparisons.json.jq.
 * @typedef {{ comparison: Comparison, finding: string, brief: string, headline: string, notes: string[], method: string | null }} JudgedComparison finding: in
 *   one line, without the verdict; brief: the same for a list; headline: with it, and with what else to know
 */

/** From how many sessions the between-session standard deviation is estimated, at the most: what all versions ever were costs more with each of them. */
const sessions = 20;

/**
 * Sets every kept version beside those before it, as `benchfolio compare` would, and takes the last run's and the
 * duets' outcomes as they are. What was judged of the same records by the same programs is taken from the cache.
 * @param {Suite} suite
 * @param {Pick<CollectedSite, 'entries' | 'run' | 'duets'>} found
 * @returns {Promise<Map<string, JudgedComparison>>} by version, those of duets by the URL of their page; that of a run, kept since or not, is its own outcome where it asked for a
 *   baseline
 */
export async function compareVersions(suite, { entries, run, duets }) {
  const folder = join(benchDir(suite), 'cache', 'comparisons');
  const settings = await digestOf([join(suite.root, 'bench.toml'), ...judgingPrograms()]);
  const comparisons = [...outcomesOf(entries, run, duets), ...plansOf(entries, run, suite.bench.compare ?? null)].map(
    (comparison) => ({
      ...comparison,
      file: join(folder, fileOf(comparison.version)),
      key: keyOf(settings, comparison),
    }),
  );
  const known = new Map(
    await Promise.all(
      comparisons.map(
        async ({ version, file, key }) =>
          /** @type {[string, JudgedComparison | null]} */ ([version, await keptWith(file, key)]),
      ),
    ),
  );
  const fresh = comparisons.filter(({ version }) => known.get(version) === null);
  if (fresh.length) {
    const judged = await judgeAll(fresh);
    await Promise.all(
      fresh.map(({ version, file, key }, i) => {
        known.set(version, judged[i]);
        return keepWith(file, key, judged[i]);
      }),
    );
  }
  await prune(folder, known);
  return /** @type {Map<string, JudgedComparison>} */ (known);
}

/**
 * @typedef {{ version: string, plan: ComparisonPlan, entries: Entry[] }} PlannedComparison entries: the records that the plan names
 * @typedef {{ version: string, comparison: Comparison }} Judged
 */

/**
 * What was judged when it was measured.
 * @param {Entry[]} entries
 * @param {LastRun | null} run
 * @param {Duet[]} duets
 * @returns {Judged[]}
 */
function outcomesOf(entries, run, duets) {
  const own = run?.outcome ?? null;
  const kept = entries.find(({ lastRun }) => lastRun)?.version ?? run?.id ?? '';
  return [
    ...(own?.cases.some(({ comparison }) => comparison) ? [{ version: kept, comparison: own }] : []),
    ...duets.map(({ url, outcome }) => ({ version: url, comparison: outcome })),
  ];
}

/**
 * @param {Entry[]} entries
 * @param {LastRun | null} run
 * @param {TomlTable | null} compare bench.toml's
 * @returns {PlannedComparison[]} of the kept versions that have a version before them
 */
function plansOf(entries, run, compare) {
  const versions = versionsOf(entries, run);
  const series = groupBy(
    versions.flatMap((version) => version.entries),
    caseKey,
  );
  const judgedVersions = new Set(outcomesOf(entries, run, []).map(({ version }) => version));
  return versions
    .filter(({ kept, version }) => kept && !judgedVersions.has(version))
    .flatMap((version) => {
      const pairs = version.entries.map((head) => {
        const all = series.get(caseKey(head)) ?? [];
        return { head, before: all.slice(0, all.indexOf(head)) };
      });
      if (pairs.every(({ before }) => before.length === 0)) return [];
      const sides = pairs.map(({ head, before }) => ({
        head,
        base: baseOf(head, before),
        before: before.slice(-sessions),
      }));
      const named = [...new Set(sides.flatMap(({ base }) => base?.version ?? []))];
      const used = new Set(sides.flatMap(({ head, base, before }) => [head, ...(base ? [base] : []), ...before]));
      return [
        {
          version: version.version,
          entries: [...used],
          plan: {
            schema: schemaVersion,
            run: null,
            time: version.time,
            folder: null,
            compare,
            head: version.version,
            command: named.length === 1 ? `benchfolio compare ${named[0]} ${version.version}` : null,
            baseline: named.length === 1 ? named[0] : null,
            cases: sides.map(({ head, base, before }) => ({
              system: head.system,
              environment: head.environment,
              case: head.case,
              scenario: head.record.scenario,
              values: head.record.values,
              status: 'measured',
              reason: null,
              head: head.url,
              base: base?.url ?? null,
              base_reason: null,
              baseline: base?.version ?? null,
              series: [...before, head].map(({ url }) => url),
            })),
          },
        },
      ];
    });
}

/**
 * The newest comparable record before; where there is none the newest of all, so that it is said why not.
 * @param {Entry} head
 * @param {Entry[]} before oldest first
 * @returns {Entry | null} null: it is the first of its series
 */
const baseOf = (head, before) =>
  before.findLast((entry) => entry.record.verdict !== 'invalid' && differenceOf(entry, head) === null) ??
  before.at(-1) ??
  null;

/** @param {string} settings @param {PlannedComparison | Judged} comparison */
function keyOf(settings, comparison) {
  const hash = createHash('sha256')
    .update(settings)
    .update(JSON.stringify('plan' in comparison ? comparison.plan : comparison.comparison));
  if ('entries' in comparison) for (const { digest } of comparison.entries) hash.update(digest);
  return hash.digest('hex');
}

/**
 * @param {(PlannedComparison | Judged)[]} comparisons
 * @returns {Promise<JudgedComparison[]>} in the same order
 */
async function judgeAll(comparisons) {
  const planned = comparisons.filter((comparison) => 'plan' in comparison);
  const judged = comparisons.filter((comparison) => 'comparison' in comparison);
  const records = Object.fromEntries(
    planned.flatMap(({ entries }) => entries).map(({ url, record }) => [url, judgedOf(record)]),
  );
  const all = await jqOver('comparisons.json.jq', [
    {
      plans: planned.map(({ plan }) => plan),
      records,
      comparisons: judged.map(({ comparison }) => comparison),
    },
  ]);
  const inOrder = new Map([...planned, ...judged].map(({ version }, i) => [version, all[i]]));
  return comparisons.map(({ version }) => inOrder.get(version));
}

/** Nine tenths of a record are what is drawn of it. @param {BenchRecord} record */
const judgedOf = ({ timeline, distribution, ...judged }) => judged;

/** A version has neither a slash nor a space. @param {string} version or the URL of a duet */
const fileOf = (version) => `${version.replaceAll('/', ' ')}.json`;

/** @param {string} folder @param {Map<string, unknown>} known by version */
async function prune(folder, known) {
  const files = new Set([...known.keys()].map(fileOf));
  const left = (await readdir(folder).catch(() => [])).filter((name) => !files.has(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}
