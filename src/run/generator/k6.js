import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startCommand } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { parseDuration } from '../../suite/cases/cases.js';
import { secretsOf } from '../services/secrets.js';
import { argumentsOf, entryOf } from './k6-arguments.js';
import { loadClock } from './load-start.js';
import { targetEnvironment } from './target-environment.js';

/** @import { Readable } from 'node:stream' */
/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Exit, Running } from '../../base/process/command.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Stream } from '../services/prometheus/stream.js' */
/** @import { Entry, Packed } from './k6-arguments.js' */
/** @import { Target } from './target-environment.js' */

/**
 * @typedef {{ file: string, benchCase: Case }} CaseFile a case, and the case.json that it is in
 * @typedef {{ index: number, of: number }} Segment of a load that several processes share
 * @typedef {Pick<Run, 'env' | 'folder' | 'guard' | 'id' | 'interrupt' | 'k6' | 'memory_bytes' | 'root' | 'secrets' | 'seed'>} K6Run
 *   what of it a k6 process takes
 * @typedef {{ complete: number, interrupted: number }} Iterations so far, as k6 counts them
 * @typedef {{ running: Running, iterations: () => Iterations, began: () => number | null }} K6
 *   began: when its load did, in epoch milliseconds; null: not yet
 */

/** k6 prints it each second, and at the end: "running (05.0s), 0/5 VUs, 250 complete and 0 interrupted iterations". */
const progressLine = /^running \(([\dhm.]+s)\).* (\d+) complete and (\d+) interrupted iterations/;

/**
 * Starts k6 on one round of a case.
 * @param {CaseFile} measured
 * @param {{ folder: string, targets: readonly Target[], part: number, cores: string | null,
 *   segment: Segment | null, stream: Stream | null,
 *   packed?: Packed, onSecond: (seconds: number) => void, onLine?: (line: string) => void }} round
 *   folder: for its files; targets: one, or base and head, to which every iteration goes both; none: k6 finds its own; part: of a
 *   round that is cut into several; cores: to pin it to; stream: to a Prometheus; packed: the case is in an archive; onSecond: gets
 *   each second how long it has run; onLine: gets each line that k6 prints
 * @param {K6Run} run
 * @returns {Promise<K6>}
 */
export async function startK6(measured, { targets, cores, onSecond, onLine, ...round }, run) {
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
  /** @type {Iterations} */
  let iterations = { complete: 0, interrupted: 0 };
  const clock = loadClock();
  if (benchCase.faults.length > 0) clock.ask(running);
  const output = /** @type {Readable} */ (running.child.stdout);
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
 * @param {Pick<Entry, 'text'>} entry
 * @param {string} folder for a file
 * @returns {{ command: { from?: number }, close: () => void }} close: to be called when it has begun
 */
export function openInput({ text }, folder) {
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
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function k6Environment(env) {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('K6_') || name.startsWith('K6_PROMETHEUS_'));
  return { ...Object.fromEntries(kept), K6_AUTO_EXTENSION_RESOLUTION: 'false', GOGC: '400' };
}

/** What k6's exit codes mean (go.k6.io/k6/v2/errext/exitcodes), other than 0 and 99: a threshold was missed. */
const meanings = /** @type {Record<number, string>} */ ({
  100: 'setup() took too long',
  101: 'teardown() took too long',
  104: 'k6 refused its options',
  105: 'it was stopped from outside',
  107: 'a script threw an exception at its start',
  108: 'the script stopped the test',
  109: 'k6 itself crashed',
});

/**
 * Why k6 did not do its work.
 * @param {Exit} exit
 * @param {string} [log] k6's, or its end
 * @returns {string | null} null: it did
 */
export function k6Failure({ code, signal }, log = '') {
  if (signal) return `k6 was killed by ${signal}`;
  if (code === 0 || code === 99) return null;
  const thrown = exceptionIn(log);
  if (thrown !== null) return thrown;
  return `k6 ended with exit code ${code}${meanings[code ?? 0] ? `: ${meanings[code ?? 0]}` : ''}`;
}

/**
 * What a script threw where k6 ends with it: in its setup or teardown, or when it was loaded.
 * @param {string} log k6's, or its end
 * @returns {string | null} "setup() threw: no login: 503"; null: nothing
 */
export function exceptionIn(log) {
  for (const [, quoted] of log.matchAll(/level=error msg="((?:[^"\\]|\\.)*)"/g)) {
    const [message, ...stack] = JSON.parse(`"${quoted}"`).split('\n\tat ');
    if (stack.length === 0) continue;
    const where = stack.map((/** @type {string} */ line) => /^(setup|teardown) \(/.exec(line)?.[1]).find(Boolean);
    const text = message.replace(/^Uncaught \(in promise\) /, '').replace(/^Error: /, '');
    return text.startsWith('benchfolio: ') ? text.slice(12) : `${where ? `${where}()` : 'the script'} threw: ${text}`;
  }
  return null;
}
