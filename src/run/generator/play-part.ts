import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { schemaVersion } from '../../../reports/schema/version.js';
import { writeJson, writeWhole } from '../../base/io/files.js';
import { type Exit, endCommand } from '../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { readOrNull } from '../../base/process/processes.js';
import type { Case } from '../../suite/cases/expand.js';
import { startSampler } from '../services/sampler.js';
import { answersIn } from './answers.js';
import { type K6, type K6Run, k6Failure, startK6 } from './k6.js';
import { beganAt } from './load-began.js';
import type { Archive } from './read-archive.js';
import { problemsIn } from './request-failures.js';
import { digestsOf } from './results.js';
import { timeLimit } from './time-limit.js';

/**
 * Which part of a case this machine plays.
 * index: from 1 on, of all generators; round: from 1 on; part: of a round that is cut; seed: of the round's random values;
 * paused: k6 waits until somebody resumes it at its address, and not longer than start_timeout_s
 */
type ChosenPart = {
  index: number;
  of: number;
  round: number;
  part: number;
  seed: string;
  paused: boolean;
  address: string | null;
  start_timeout_s: number;
};

/** Milliseconds that k6 has to end by itself, and to say its last words. */
const shutdown_timeout_ms = 3000;

/** k6 prints it each second that it makes load. */
const running = /^running \(/;

/**
 * Plays one part of a packed case with k6. What it measured is in the run's folder; generator.json, the last file there, says
 * that it is whole.
 * @param given machine: this one, as a record has it; print: gets k6's progress
 * @throws {CaseFailure | Interrupted} k6 did not do its work
 */
export async function playPart(
  archive: Archive,
  chosenPart: ChosenPart,
  {
    run,
    k6_version,
    machine,
    print,
  }: { run: K6Run; k6_version: string; machine: Record<string, unknown>; print: (line: string) => void },
) {
  const { folder } = run;
  const benchCase = { ...archive.benchCase, instances: 1 }; // on this machine
  await writeWhole(join(folder, 'case.json'), archive.text);
  const sampler = startSampler(join(folder, 'services.ndjson'), []);
  const first_ms = Date.now();
  /** When k6's first line came that says that it makes load. */
  let seen_ms: number | null = null;
  let k6: K6 | undefined;
  let wasEnded = false;
  try {
    k6 = await startK6(
      { file: join(folder, 'case.json'), benchCase },
      {
        folder,
        targets: [],
        part: chosenPart.part,
        cores: null,
        segment: chosenPart.of === 1 ? null : { index: chosenPart.index - 1, of: chosenPart.of },
        stream: null,
        packed: {
          file: archive.file,
          seed: chosenPart.of === 1 ? chosenPart.seed : `${chosenPart.seed}/instance-${chosenPart.index}`,
          paused: chosenPart.paused,
          address: chosenPart.address,
        },
        onSecond: () => {},
        onLine(line) {
          if (!running.test(line)) return;
          seen_ms ??= Date.now();
          print(line);
        },
      },
      run,
    );
    sampler.watch([k6.running]);
    const output = once(k6.running.child, 'close').catch(() => {});
    await waitForEnd(k6, { chosenPart, benchCase, isPlaying: () => seen_ms !== null }, run);
    wasEnded = true;
    await Promise.race([output, sleep(shutdown_timeout_ms, null, { ref: false })]);
  } finally {
    if (k6) await endCommand(k6.running, 'SIGINT', shutdown_timeout_ms);
    k6?.running.log.close();
    if (!wasEnded) sampler.stop();
  }
  const ended_ms = Date.now();
  const others = sampler.stop();
  const { log, exit } = k6.running;
  const failure = k6Failure(exit as Exit, log.tail()) ?? missingSummary(folder);
  if (failure) throw new CaseFailure(failure, { log });
  const text = log.text();
  const { complete, interrupted } = k6.iterations();
  await writeJson(join(folder, 'generator.json'), {
    schema: schemaVersion,
    archive: archive.sha256,
    definition: archive.content.definition,
    part: { index: chosenPart.index, of: chosenPart.of },
    round: chosenPart.round,
    round_part: chosenPart.part,
    seed: chosenPart.seed,
    player: benchCase.player ?? 'javascript',
    k6_version,
    machine,
    host: hostname(),
    boot: readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname(),
    started_ms: Math.round(beganAt(folder) ?? k6.began() ?? seen_ms ?? first_ms),
    ended_ms,
    k6_exit: exit?.code ?? 0,
    complete_iterations: complete,
    interrupted_iterations: interrupted,
    others,
    problems: problemsIn([text]),
    answers: answersIn([text]),
    files: await digestsOf(folder),
  });
}

/** @throws {CaseFailure | Interrupted} nothing resumed it, it does not end, or a signal came */
async function waitForEnd(
  { running: command }: K6,
  { chosenPart, benchCase, isPlaying }: { chosenPart: ChosenPart; benchCase: Case; isPlaying: () => boolean },
  { interrupt }: K6Run,
) {
  const ended = command.exited.then(() => true);
  const stopped = interrupt.signalled.then(() => true);
  const within = (ms: number) => Promise.race([ended, stopped, sleep(ms, false, { ref: false })]);
  const refuse = (reason: string) => {
    throw new CaseFailure(reason, { log: command.log });
  };
  if (chosenPart.paused) {
    const until = performance.now() + chosenPart.start_timeout_s * 1000;
    while (!isPlaying() && performance.now() < until && !(await within(look_ms)));
    if (!isPlaying() && command.exit === null && !interrupt.asked) {
      refuse(`nothing resumed k6 within ${chosenPart.start_timeout_s} s at ${chosenPart.address ?? 'localhost:6565'}`);
    }
  }
  const limit = timeLimit(benchCase);
  const inTime = await within(Math.min(limit.after_s * 1000, longestTimer_ms));
  if (interrupt.asked) throw new Interrupted();
  if (!inTime) refuse(limit.reason);
}

/** Milliseconds between two looks at whether k6 was resumed. */
const look_ms = 200;

/** Node.js takes no longer one, and would not wait at all. */
const longestTimer_ms = 2 ** 31 - 1;

/** @returns null: it is there */
function missingSummary(folder: string): string | null {
  try {
    JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    return null;
  } catch (error) {
    return `k6 left no summary that can be read: ${(error as Error).message}`;
  }
}
