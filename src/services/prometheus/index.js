import { join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { writeJson } from '../../io/files.js';
import { Interrupted } from '../../process/failure.js';
import { startPrivate } from './private.js';
import { askAll, noneOf } from './queries.js';
import { settingsOf, writeTarget } from './settings.js';
import { streamOutcome, streamTo } from './stream.js';
import { windowOf } from './window.js';

/**
 * @typedef {import('../../cases/index.js').Case} Case
 * @typedef {import('../../run-context.js').Run} Run
 * @typedef {import('../../run-context.js').Which} Which
 */

/**
 * What Prometheus has to do with a case: nothing, or where k6 streams to and where metrics are taken from.
 * - streamOf: what makes k6 send its metrics; null: it is not
 * - read: takes the metrics of a round when its k6 processes have ended, and writes prometheus.json into its folder;
 *   theirs have their summaries and logs
 * - close: ends a private Prometheus
 * @typedef {{ streamOf: (which: Which) => import('./stream.js').Stream | null,
 *   read: (which: Which, folder: string, folders: string[]) => Promise<void>, close: () => Promise<void> }} RunningPrometheus
 */

/**
 * @param {Case} benchCase
 * @param {{ folder: string, services: import('../services.js').Services, cores: string | null }} given folder: of the
 *   case; services: ready; cores: those that k6 is pinned to
 * @param {Run} run
 * @returns {Promise<RunningPrometheus>}
 * @throws {import('../../process/failure.js').CaseFailure | Interrupted}
 */
export async function openPrometheus(benchCase, { folder, services, cores }, run) {
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
  const labelsOf = (/** @type {Which} */ { round }) => ({
    system: benchCase.system,
    environment: benchCase.environment,
    case: benchCase.name,
    round: String(round),
    version: run.id,
    side: 'head',
  });

  return {
    streamOf: (which) => (sink ? streamTo(sink, labelsOf(which), interval_s) : null),
    async read(which, place, folders) {
      if (!asks && !sink) return;
      const window = windowOf(folders, benchCase);
      const given = { interval_s, labels: labelsOf(which), values, scraped: started !== null };
      const asked =
        source && window ? askAll(benchCase, source, { window, ...given }) : noneOf(benchCase, problem ?? noWindow);
      const results = await Promise.race([asked, run.interrupt.signalled.then(() => null)]);
      if (results === null) throw new Interrupted();
      const stream = sink ? streamOutcome(folders) : null;
      await writeJson(join(place, 'prometheus.json'), {
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

/**
 * @param {import('./queries.js').QueryResult} result
 * @param {(text: string) => string} hide
 * @returns {import('./queries.js').QueryResult} without secrets: an error may quote the query
 */
const hidden = ({ problem, ...rest }, hide) => ({
  ...rest,
  problem: problem && { ...problem, text: hide(problem.text) },
});

/** Does a query read what k6 sends? Only our own Prometheus has it. @param {Case} benchCase */
const readsK6 = (benchCase) => benchCase.queries.some(({ query }) => query.includes('k6'));

/** @type {import('./api.js').QueryProblem} */
const noWindow = { id: 'empty', text: 'nothing was measured' };
