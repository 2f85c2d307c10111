import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure } from '../../base/process/failure.js';
import type { Kubernetes } from '../../suite/cases/generators.js';
import { answersIn } from '../generator/answers.js';
import type { CaseFile, Iterations } from '../generator/k6.js';
import { noFigures } from '../generator/live-figures.js';
import { problemsIn, redirectsStopped } from '../generator/request-failures.js';
import { endedBySignal } from '../generator/results.js';
import type { Generators } from '../generator/start-generators.js';
import type { Target } from '../generator/target-environment.js';
import { timeLimit } from '../generator/time-limit.js';
import type { Run } from '../run-context.js';
import { secretsOf } from '../services/secrets.js';
import { putBusiestFirst } from './busiest-pod.js';
import { startJob } from './job.js';
import { resume } from './k6-status.js';
import type { Client } from './kubernetes-client.js';
import { keepMachine, noteSkew } from './machines.js';
import { openPodLogs } from './pod-logs.js';
import { type Result, unpackResults } from './pod-results.js';
import { failureAmong, type Pod } from './pod-state.js';
import { openCluster } from './proxy.js';
import { podsOf, waitUntilReady } from './wait-ready.js';
import { watchPods } from './watch-pods.js';

/** Seconds that pods have, after their load, to pack and print their results. */
const results_s = 120;

/** Milliseconds that the log of a pod that failed has to say why. */
const lastWords_ms = 3000;

/**
 * Starts the pods of a round, each with its segment of the load, all at the same moment: what `startGenerators` is on this
 * machine. What they measured is in `instance-<n>/` of the round's folder when all have ended; a pod that is alone has it in
 * the round's own.
 * @param limit after which a pod that has not ended has failed
 * @throws {CaseFailure | Interrupted} they cannot be started: then none is left
 */
export async function startPods(
  measured: CaseFile,
  round: { folder: string; targets: readonly Target[]; part: number },
  run: Run,
  limit: ReturnType<typeof timeLimit> = timeLimit(measured.benchCase),
): Promise<Generators> {
  const { benchCase } = measured;
  const { kubernetes } = benchCase.generators as { kubernetes: Kubernetes };
  const { parallelism } = kubernetes;
  const folders =
    parallelism === 1
      ? [round.folder]
      : Array.from({ length: parallelism }, (_, i) => makeFolder(join(round.folder, `instance-${i + 1}`)));
  const cluster = await openCluster(kubernetes, round.folder, run);
  const { client } = cluster;
  const stop = new AbortController();
  const logs = openPodLogs(folders, secretsOf(benchCase, run.env, run.secrets));
  let job: Awaited<ReturnType<typeof startJob>> | null = null;
  let closed = false;
  const end = async () => {
    if (closed) return;
    closed = true;
    stop.abort();
    await job?.end();
    logs.close();
    await cluster.close();
  };
  try {
    const deadline_s = kubernetes.start_timeout_s + limit.after_s + results_s;
    job = await startJob(measured, { client, kubernetes, round, limit_s: deadline_s }, run);
    const before = performance.now();
    const expectedPods = { job: job.name, parallelism, timeout_s: kubernetes.start_timeout_s };
    const pods = await waitUntilReady(client, expectedPods, run);
    run.progress.note(`${parallelism} pods are ready after ${((performance.now() - before) / 1000).toFixed(1)} s`);
    const iterations = () => sumOf(following.map((pod) => pod.iterations()));
    const onSecond = (seconds: number) => run.progress.iterations(iterations().complete, seconds, noFigures);
    const following = pods.map(({ metadata: { name } }, i) =>
      logs.follow(client, name, i, { signal: stop.signal, onSecond }),
    );
    await Promise.all(pods.map(({ metadata: { name } }) => resume(client, name)));
    return generatorsOf({ measured, client, job: job.name, pods, following, folders, logs, limit, stop, end }, run);
  } catch (error) {
    await end();
    throw error;
  }
}

const sumOf = (all: Iterations[]) => ({
  complete: all.reduce((sum, { complete }) => sum + complete, 0),
  interrupted: all.reduce((sum, { interrupted }) => sum + interrupted, 0),
});

function generatorsOf(
  {
    measured,
    client,
    job,
    pods,
    following,
    folders,
    logs,
    limit,
    stop,
    end,
  }: {
    measured: CaseFile;
    client: Client;
    job: string;
    pods: Pod[];
    following: ReturnType<ReturnType<typeof openPodLogs>['follow']>[];
    folders: string[];
    logs: ReturnType<typeof openPodLogs>;
    limit: ReturnType<typeof timeLimit>;
    stop: AbortController;
    end: () => Promise<void>;
  },
  run: Run,
): Generators {
  let failed: ReturnType<Generators['failed']> = null;
  const fail = (reason: string, index = 0) => {
    failed ??= { reason, log: logs.logOf(index) };
    stop.abort();
  };
  let results: Result[] = [];
  const isDone = (i: number) => following[i].frame().state === 'whole';
  const lastWords = () => sleep(lastWords_ms, null, { signal: stop.signal }).catch(() => {});
  const blameFirst = async (i: number, reason: string | null) => {
    await Promise.race([following[i].ended, lastWords()]);
    const { failure } = following[i].frame();
    const now = reason === null ? await podsOf(client, job).catch(() => null) : null;
    const why = reason ?? (now && failureAmong(now, pods[i]));
    if (why === null) return fail(`pod ${pods[i].metadata.name}: ${failure ?? 'it ended without results'}`, i);
    fail(failure === null || failure === endedBySignal ? why : `${why}: ${failure}`, i);
  };
  let blaming: Promise<void> | null = null;
  const blame = (i: number, reason: string | null) => {
    blaming ??= blameFirst(i, reason);
    return blaming;
  };
  const watching = watchPods(client, { job, pods, isDone, blame, signal: stop.signal });
  const late = sleep((limit.after_s + results_s) * 1000, null, { signal: stop.signal, ref: false }).then(
    () => fail(limit.reason),
    () => {},
  );
  const stopped = once(stop.signal, 'abort');
  const endings = following.map(async ({ ended, frame }, i) => {
    await ended;
    if (isDone(i) || stop.signal.aborted) return;
    const { failure } = frame();
    // By something outside it, or without a word: who watches the pods knows why, and which was the first.
    if (failure === null || failure === endedBySignal) await lastWords();
    await blame(i, null);
  });
  const whole = (async () => {
    await Promise.all(endings);
    if (failed || stop.signal.aborted) return;
    try {
      results = following.map((pod, i) => unpackResults(pod, { folder: folders[i], index: i, measured }, run));
      noteSkew(results, run);
      await putBusiestFirst(results, folders);
      await keepMachine(measured.file, results);
    } catch (error) {
      if (!(error instanceof CaseFailure)) throw error;
      fail(error.message);
    }
  })();
  const exited = Promise.race([whole, stopped, late]);
  const logTexts = () => results.map(({ log }) => log);
  return {
    running: [],
    folders,
    exited,
    iterations: () =>
      results.length
        ? sumOf(results.map(({ iterations: done }) => done))
        : sumOf(following.map((pod) => pod.iterations())),
    began: () => null, // what happens to services during the load is nothing that pods can be combined with
    ended: () => results.length === folders.length,
    failed: () => failed,
    exitCode: () => results.reduce((code, { k6_exit }) => Math.max(code, k6_exit), 0),
    problems: (side) => problemsIn(logTexts(), side),
    redirectsStopped: () => redirectsStopped(logTexts()),
    answers: (side) => answersIn(logTexts(), side),
    startSkew_ms: () => skewOf(results),
    end: async () => {
      stop.abort();
      await watching;
      await end();
    },
  };
}

const skewOf = (results: readonly Result[]) => {
  const starts = results.map(({ started_ms }) => started_ms);
  return starts.length > 1 ? Math.max(...starts) - Math.min(...starts) : 0;
};
