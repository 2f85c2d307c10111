import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRecord, Comparison } from '../../../reports/schema/types.d.ts';
import { schemaVersion } from '../../../reports/schema/version.js';
import { jqOver } from '../../base/tools/jq.js';
import type { ComparisonPlan } from '../../records/judge.js';
import type { TomlTable } from '../../suite/cases/toml.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { digestOf, judgingPrograms, keepWith, keptWith } from '../collect/cached.js';
import type { CollectedSite } from '../collect/collect.js';
import type { Duet } from '../collect/collect-duets.js';
import type { Entry } from '../collect/collect-record.js';
import type { LastRun } from '../collect/last-run.js';
import { caseKey, differenceOf, groupBy, versionsOf } from './series.js';

/**
 * How a version came out against those before it, or a run against its baseline. Said by reports/comparisons.json.jq.
 * finding: in one line, without the verdict; brief: the same for a list; headline: with it, and with what else to know
 */
export type JudgedComparison = {
  comparison: Comparison;
  finding: string;
  brief: string;
  headline: string;
  notes: string[];
  method: string | null;
};

/**
 * From how many sessions the between-session standard deviation is estimated, at the most: all versions together would cost
 * more with each of them.
 */
const sessions = 20;

/**
 * Sets every kept version beside those before it, as `benchfolio compare` would, and takes the last run's and the
 * duets' outcomes as they are. What was judged of the same records by the same programs is taken from the cache.
 * @returns by version, those of duets by the URL of their page; that of a run, kept since or not, is its own outcome where it
 *   asked for a baseline
 */
export async function compareVersions(
  suite: Suite,
  { entries, run, duets }: Pick<CollectedSite, 'entries' | 'run' | 'duets'>,
): Promise<Map<string, JudgedComparison>> {
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
        async ({ version, file, key }) => [version, await keptWith(file, key)] as [string, JudgedComparison | null],
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
  return known as Map<string, JudgedComparison>;
}

/** entries: the records that the plan names */
type PlannedComparison = { version: string; plan: ComparisonPlan; entries: Entry[] };

type Judged = { version: string; comparison: Comparison };

/** A comparison that was judged when it was measured. */
function outcomesOf(entries: Entry[], run: LastRun | null, duets: Duet[]): Judged[] {
  const own = run?.outcome ?? null;
  const kept = entries.find(({ lastRun }) => lastRun)?.version ?? run?.id ?? '';
  return [
    ...(own?.cases.some(({ comparison }) => comparison) ? [{ version: kept, comparison: own }] : []),
    ...duets.map(({ url, outcome }) => ({ version: url, comparison: outcome })),
  ];
}

/**
 * @param compare bench.toml's
 * @returns of the kept versions that have a version before them
 */
function plansOf(entries: Entry[], run: LastRun | null, compare: TomlTable | null): PlannedComparison[] {
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
 * @param before oldest first
 * @returns null: it is the first of its series
 */
const baseOf = (head: Entry, before: Entry[]): Entry | null =>
  before.findLast((entry) => entry.record.verdict !== 'invalid' && differenceOf(entry, head) === null) ??
  before.at(-1) ??
  null;

function keyOf(settings: string, comparison: PlannedComparison | Judged) {
  const hash = createHash('sha256')
    .update(settings)
    .update(JSON.stringify('plan' in comparison ? comparison.plan : comparison.comparison));
  if ('entries' in comparison) for (const { digest } of comparison.entries) hash.update(digest);
  return hash.digest('hex');
}

/** @returns in the same order */
async function judgeAll(comparisons: (PlannedComparison | Judged)[]): Promise<JudgedComparison[]> {
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

/** Nine tenths of a record are what is drawn of it. */
const judgedOf = ({ timeline, distribution, ...judged }: BenchRecord) => judged;

/**
 * A version has neither a slash nor a space.
 * @param version or the URL of a duet
 */
const fileOf = (version: string) => `${version.replaceAll('/', ' ')}.json`;

/** @param known by version */
async function prune(folder: string, known: Map<string, unknown>) {
  const files = new Set([...known.keys()].map(fileOf));
  const left = (await readdir(folder).catch(() => [])).filter((name) => !files.has(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}
