import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Exit, type Running, startCommand } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { parseDuration } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import type { Run } from '../run-context.js';
import type { Stream } from '../services/prometheus/stream.js';
import { secretsOf } from '../services/secrets.js';
import { argumentsOf, type Entry, entryOf, type Packed } from './k6-arguments.js';
import { loadClock } from './load-start.js';
import { type Target, targetEnvironment } from './target-environment.js';

/** A case, and the case.json that it is in. */
export type CaseFile = { file: string; benchCase: Case };

/** The part of a load that one of several processes sends. */
export type Segment = { index: number; of: number };

/** The parts of a run that a k6 process takes. */
export type K6Run = Pick<
  Run,
  'env' | 'folder' | 'guard' | 'id' | 'interrupt' | 'k6' | 'memory_bytes' | 'root' | 'secrets' | 'seed'
>;

/** The iterations so far, as k6 counts them. */
export type Iterations = { complete: number; interrupted: number };

/** began: when its load did, in epoch milliseconds; null: not yet */
export type K6 = { running: Running; iterations: () => Iterations; began: () => number | null };

/** k6 prints it each second, and at the end: "running (05.0s), 0/5 VUs, 250 complete and 0 interrupted iterations". */
const progressLine = /^running \(([\dhm.]+s)\).* (\d+) complete and (\d+) interrupted iterations/;

/**
 * Starts k6 on one round of a case.
 * @param round folder: for its files; targets: one, or base and head, to which every iteration goes both; none: k6 finds its
 *   own; part: of a round that is cut into several; cores: to pin it to; stream: to a Prometheus; packed: the case is in an
 *   archive; onSecond: gets each second how long it has run; onLine: gets each line that k6 prints
 */
export async function startK6(
  measured: CaseFile,
  {
    targets,
    cores,
    onSecond,
    onLine,
    ...round
  }: {
    folder: string;
    targets: readonly Target[];
    part: number;
    cores: string | null;
    segment: Segment | null;
    stream: Stream | null;
    packed?: Packed;
    onSecond: (seconds: number) => void;
    onLine?: (line: string) => void;
  },
  run: K6Run,
): Promise<K6> {
  const { benchCase } = measured;
  // A dead target makes k6 print a line a request: its log is bounded.
  const log = openLog(join(round.folder, 'k6.log'), {
    secrets: secretsOf(benchCase, run.env, run.secrets),
    bounded: true,
  });
  const entry = entryOf(benchCase, run.root);
  const input = openInput(entry, round.folder);
  const running = await startCommand(
    {
      name: 'k6',
      argv: [run.k6, ...argumentsOf(measured, { ...round, entry, twoSides: targets.length > 1, run })],
      cwd: round.packed ? run.root : entry.cwd,
      cpus: cores,
      ...input.command,
      log,
      pipe: true,
      env: {
        ...k6Environment(run.env),
        ...round.stream?.env,
        ...(targets.length > 0 && targetEnvironment(targets, benchCase)),
        GOMEMLIMIT: String(Math.round((heapShare * run.memory_bytes) / benchCase.instances)),
      },
    },
    run,
  ).finally(input.close);
  let iterations: Iterations = { complete: 0, interrupted: 0 };
  const clock = loadClock();
  if (benchCase.faults.length > 0) clock.ask(running);
  const output = running.child.stdout as Readable;
  createInterface({ input: output }).on('line', (line) => {
    clock.read(line);
    onLine?.(line);
    const [, time, complete, interrupted] = line.match(progressLine) ?? [];
    if (time === undefined) return;
    iterations = { complete: Number(complete), interrupted: Number(interrupted) };
    onSecond(parseDuration(time));
  });
  return { running, iterations: () => iterations, began: clock.began };
}

/**
 * What k6 reads of its standard input.
 * @param folder for a file
 * @returns close: to be called when it has begun
 */
export function openInput(
  { text }: Pick<Entry, 'text'>,
  folder: string,
): { command: { from?: number }; close: () => void } {
  if (text === null) return { command: {}, close: () => {} };
  const file = join(folder, 'entry.js');
  writeFileSync(file, text);
  const from = openSync(file, 'r');
  return { command: { from }, close: () => closeSync(from) };
}

/** Of the memory that k6 may take, the part for what Go allocates; its program and the kernel's share come on top. */
const heapShare = 0.85;

/**
 * The environment of k6, garbage collected seldom: at GOGC's usual 100 it takes a tenth more CPU time. GOMEMLIMIT bounds
 * what that leaves lying about. k6's own variables (K6_VUS, K6_DURATION, K6_OUT, …) would override the spec behind its back,
 * those of the Prometheus output excepted.
 */
export function k6Environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('K6_') || name.startsWith('K6_PROMETHEUS_'));
  return { ...Object.fromEntries(kept), K6_AUTO_EXTENSION_RESOLUTION: 'false', GOGC: '400' };
}

/** What k6's exit codes mean (go.k6.io/k6/v2/errext/exitcodes), other than 0 and 99: a threshold was missed. */
const meanings = {
  100: 'setup() took too long',
  101: 'teardown() took too long',
  104: 'k6 refused its options',
  105: 'it was stopped from outside',
  107: 'a script threw an exception at its start',
  108: 'the script stopped the test',
  109: 'k6 itself crashed',
} as Record<number, string>;

/**
 * Why k6 did not do its work.
 * @param log k6's, or its end
 * @returns null: it did
 */
export function k6Failure({ code, signal }: Exit, log: string = ''): string | null {
  if (signal) return `k6 was killed by ${signal}`;
  if (code === 0 || code === 99) return null;
  const thrown = exceptionIn(log);
  if (thrown !== null) return thrown;
  return `k6 ended with exit code ${code}${meanings[code ?? 0] ? `: ${meanings[code ?? 0]}` : ''}`;
}

/**
 * What a script threw where k6 ends with it: in its setup or teardown, or when it was loaded.
 * @param log k6's, or its end
 * @returns "setup() threw: no login: 503"; null: nothing
 */
export function exceptionIn(log: string): string | null {
  for (const [, quoted] of log.matchAll(/level=error msg="((?:[^"\\]|\\.)*)"/g)) {
    const [message, ...stack] = JSON.parse(`"${quoted}"`).split('\n\tat ');
    if (stack.length === 0) continue;
    const where = stack.map((line: string) => /^(setup|teardown) \(/.exec(line)?.[1]).find(Boolean);
    const text = message.replace(/^Uncaught \(in promise\) /, '').replace(/^Error: /, '');
    return text.startsWith('benchfolio: ') ? text.slice(12) : `${where ? `${where}()` : 'the script'} threw: ${text}`;
  }
  return null;
}
