import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { endCommand, type Running } from '../../base/process/command.js';
import type { Log } from '../../base/process/log.js';
import type { Run } from '../run-context.js';
import { type Answers, answersIn } from './answers.js';
import { type CaseFile, type Iterations, type K6, k6Failure, startK6 } from './k6.js';
import { liveFigures } from './live-figures.js';
import { problemsIn, redirectsStopped } from './request-failures.js';
import { timeLimit } from './time-limit.js';

/**
 * The k6 processes of a round: one, or several that share its load.
 *
 * - exited: fulfilled when all have ended, or one has failed
 * - failed: one that did not do its work, with why
 * - began: when the load of the first did, in epoch milliseconds; null: not yet
 * - exitCode: what they ended with; 99, a threshold was missed, if any did
 * - problems: how requests failed, the first different ones; in a duet, those of a side
 * - redirectsStopped: how often k6 gave up following redirects
 * - startSkew_ms: how far apart their loads began, where they are on several machines
 * - answers: what came back, by name of the request; in a duet, that of a side
 */
export type Generators = {
  running: Running[];
  folders: string[];
  exited: Promise<unknown>;
  iterations: () => Iterations;
  began: () => number | null;
  ended: () => boolean;
  failed: () => { reason: string; log: Log } | null;
  exitCode: () => number;
  problems: (side?: 'base' | 'head' | null) => string[];
  redirectsStopped: () => number;
  answers: (side?: 'base' | 'head' | null) => Record<string, Answers>;
  startSkew_ms?: () => number;
  end: () => Promise<void>;
};

/** Milliseconds that k6 has to end by itself when its round is of no use any more. */
const shutdown_timeout_ms = 3000;

/**
 * Starts k6 on one round of a case, as often as the case has instances: each gets its segment of the load. The files of
 * one alone are in the round's folder, those of several in `instance-<n>/` there.
 * @param limit after which one that has not ended has failed
 * @throws {CaseFailure} one cannot be started: then none is left
 */
export async function startGenerators(
  measured: CaseFile,
  round: Omit<Parameters<typeof startK6>[1], 'segment' | 'onSecond'>,
  run: Run,
  limit: ReturnType<typeof timeLimit> = timeLimit(measured.benchCase),
): Promise<Generators> {
  const { instances } = measured.benchCase;
  const alone = instances === 1;
  const folders = alone
    ? [round.folder]
    : Array.from({ length: instances }, (_, index) => makeFolder(join(round.folder, `instance-${index + 1}`)));
  const started: K6[] = [];
  const iterations = () =>
    started
      .map((k6) => k6.iterations())
      .reduce(
        (sum, { complete, interrupted }) => ({
          complete: sum.complete + complete,
          interrupted: sum.interrupted + interrupted,
        }),
        { complete: 0, interrupted: 0 },
      );
  const native = measured.benchCase.player === 'native';
  const live = liveFigures({ folder: round.folder, folders, native });
  const onSecond = (seconds: number) => run.progress.iterations(iterations().complete, seconds, live);
  let timer: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(timer);
    await Promise.all(
      started.map(async ({ running }) => {
        await endCommand(running, 'SIGINT', shutdown_timeout_ms);
        running.log.close();
      }),
    );
  };
  try {
    for (const [index, folder] of folders.entries()) {
      const segment = alone ? null : { index, of: instances };
      started.push(await startK6(measured, { ...round, folder, segment, onSecond }, run));
    }
  } catch (error) {
    await end();
    throw error;
  }
  const running = started.map((k6) => k6.running);
  /** The first: those after it may have failed because of it, or by our ending them. */
  let failed: ReturnType<Generators['failed']> = null;
  // What is left of a load when one of its generators has failed is another load.
  const exited = new Promise((resolve) => {
    for (const { exited: ended, log } of running) {
      void ended.then((exit) => {
        const reason = k6Failure(exit, log.tail());
        if (reason) failed ??= { reason, log };
        if (failed || running.every(({ exit }) => exit)) resolve(undefined);
      });
    }
    timer = setTimeout(
      () => {
        const late = running.find(({ exit }) => exit === null);
        if (late) failed ??= { reason: limit.reason, log: late.log };
        resolve(undefined);
      },
      Math.min(limit.after_s * 1000, longestTimer_ms),
    );
  });
  return {
    running,
    folders,
    iterations,
    end,
    exited,
    began: started[0].began,
    ended: () => running.every(({ exit }) => exit !== null),
    failed: () => failed,
    exitCode: () => running.reduce((code, { exit }) => Math.max(code, exit?.code ?? 0), 0),
    problems: (side) => problemsIn(running.map(textOf), side),
    redirectsStopped: () => redirectsStopped(running.map(textOf)),
    answers: (side) => answersIn(running.map(textOf), side),
  };
}

/** Node.js takes no longer one, and would not wait at all. */
const longestTimer_ms = 2 ** 31 - 1;

const textOf = ({ log }: Running) => log.text();
