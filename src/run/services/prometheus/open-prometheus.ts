import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaVersion } from '../../../../reports/schema/version.js';
import { writeJson } from '../../../base/io/files.js';
import { Interrupted } from '../../../base/process/failure.js';
import type { Case } from '../../../suite/cases/expand.js';
import { driverMetrics } from '../../../suite/cases/tables.js';
import type { Run, Which } from '../../run-context.js';
import type { Services } from '../services.js';
import type { QueryProblem } from './api.js';
import { startPrivate } from './private.js';
import { askAll, noneOf, type QueryResult } from './run-queries.js';
import { settingsOf, writeTarget } from './settings.js';
import { type Stream, streamOutcome, streamTo } from './stream.js';

/**
 * What Prometheus has to do with a case: nothing, or where k6 streams to and where metrics are taken from.
 * - streamOf: what makes k6 send its metrics; null: it is not
 * - read: takes the metrics of a round when its k6 processes have ended, and writes prometheus.json into its folder;
 *   theirs have their summaries and logs
 * - close: ends a private Prometheus
 */
export type RunningPrometheus = {
  streamOf: (which: Which) => Stream | null;
  read: (which: Which, folder: string, folders: string[]) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * @param given folder: of the case; services: ready; cores: those that k6 is pinned to
 * @throws {CaseFailure | Interrupted}
 */
export async function openPrometheus(
  benchCase: Case,
  { folder, services, cores }: { folder: string; services: Services; cores: string | null },
  run: Run,
): Promise<RunningPrometheus> {
  const { values } = services;
  const settings = settingsOf(benchCase, values);
  const { interval_s, hide } = settings;
  const asks = benchCase.queries.length > 0;
  const own =
    asks && !settings.queried ? await startPrivate(benchCase, { folder, services, interval_s, cores }, run) : null;
  const problem = own && 'problem' in own ? own.problem : null;
  const started = own && 'target' in own ? own : null;
  const source = settings.queried ?? started?.target ?? null;
  const sink = settings.written ?? (started && readsK6(benchCase) ? writeTarget(started.target) : null);
  const labelsOf = ({ round }: Which) => ({
    system: benchCase.system,
    environment: benchCase.environment,
    case: benchCase.name,
    round: String(round),
    version: run.id,
    side: 'head',
  });

  return {
    streamOf: (which) => (sink ? streamTo(sink, labelsOf(which), interval_s) : null),
    async read(which, partFolder, folders) {
      if (!asks && !sink) return;
      const window = windowOf(folders, benchCase);
      const given = { interval_s, labels: labelsOf(which), values, scraped: started !== null };
      const pending =
        source && window ? askAll(benchCase, source, { window, ...given }) : noneOf(benchCase, problem ?? noWindow);
      const results = await Promise.race([pending, run.interrupt.signalled.then(() => null)]);
      if (results === null) throw new Interrupted();
      const stream = sink ? streamOutcome(folders) : null;
      await writeJson(join(partFolder, 'prometheus.json'), {
        schema: schemaVersion,
        url: source && hide(source.url),
        from: window?.from ?? null,
        to: window?.to ?? null,
        step_s: interval_s,
        results: results.map((result) => hidden(result, hide)),
        stream,
      });
    },
    close: async () => started?.close(),
  };
}

/** @returns without secrets: an error may quote the query */
const hidden = ({ problem, ...rest }: QueryResult, hide: (text: string) => string): QueryResult => ({
  ...rest,
  problem: problem && { ...problem, text: hide(problem.text) },
});

/** Does a query read what k6 sends? Only our own Prometheus has it. */
const readsK6 = (benchCase: Case) => benchCase.queries.some(({ query }) => query.includes('k6'));

const noWindow: QueryProblem = { id: 'empty', text: 'nothing was measured' };

/**
 * The measured window of k6 processes that ran at the same time, as reports/lib/reduce/window.jq has it for k6's and the
 * services' metrics.
 * @param folders of their summaries
 * @param benchCase as they measured it
 * @returns epoch milliseconds; null: no iteration was started, or none in it
 */
function windowOf(folders: readonly string[], { window }: Case): { from: number; to: number } | null {
  const all = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')).metrics);
  const started = Math.min(...all.map((metrics) => metrics[driverMetrics.started.name]?.values.min ?? Infinity));
  if (started === Infinity) return null;
  const ended = Math.max(...all.map((metrics) => metrics[driverMetrics.ended.name]?.values.max ?? started));
  const from_s = window.from_s ?? 0;
  const seconds = (window.to_s ?? (ended - started) / 1000) - from_s;
  const from = Math.round(started + from_s * 1000);
  return seconds > 0 ? { from, to: Math.round(from + seconds * 1000) } : null;
}
