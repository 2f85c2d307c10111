import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endCommand, startCommand } from '../../base/process/command.js';
import { CaseFailure, RequestFailure } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { redact } from '../../base/process/redact.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { Run } from '../run-context.js';
import { secretsOf } from '../services/secrets.js';
import { type CaseFile, exceptionIn, k6Environment, k6Failure, openInput } from './k6.js';
import { entryOf } from './k6-arguments.js';
import { type SmokeFailure, smokeText } from './smoke-text.js';
import { type Target, targetEnvironment } from './target-environment.js';
import { plannedTime } from './time-limit.js';

/** Seconds for what no option of k6 bounds: its start and its end. */
const grace_s = 20;

/** Whether a case's requests are tried before its load: not where they are meant to fail, or the spec says no. */
export const isSmoked = ({ smoke: enabled, error_cap }: Case) => enabled && error_cap <= limits.smoke_error_cap;

/**
 * Sends one iteration of a case, with each request in it once, and looks at what comes back. The JavaScript player does,
 * whichever player is to send the load: both send the same.
 * @param given folder: for its log; cores: to pin it to; died: fulfilled when a service did
 * @returns also when a service died, or the run was interrupted
 * @throws {CaseFailure} a request failed each time it was tried (RequestFailure), or k6 did
 */
export async function smoke(
  { file, benchCase }: CaseFile,
  { folder, target, cores, died }: { folder: string; target: Target; cores: string | null; died: Promise<CaseFailure> },
  run: Run,
): Promise<void> {
  const secrets = secretsOf(benchCase, run.env, run.secrets);
  const log = openLog(join(folder, 'smoke.log'), { secrets, bounded: true });
  const entry = entryOf({ ...benchCase, player: undefined }, run.root);
  const input = openInput(entry, folder);
  const running = await startCommand(
    {
      name: 'k6',
      argv: [run.k6, 'run', '--quiet', '--no-usage-report', '--no-color', '--log-output=stderr']
        .concat(
          Object.entries({ CASE: file, PART: 1, SMOKE: 1, ...entry.variables }).flatMap(([name, value]) => [
            '-e',
            `${name}=${value}`,
          ]),
        )
        .concat(entry.argument),
      cwd: entry.cwd,
      ...input.command,
      cpus: cores,
      log,
      env: { ...k6Environment(run.env), ...targetEnvironment([target], benchCase) },
    },
    run,
  ).finally(input.close);
  const read = once(running.child, 'close');
  const timer = new AbortController();
  const stopped = Promise.race([died, run.interrupt.signalled]).then(() => true);
  const longest_s = limits.smoke_seconds + plannedTime({ ...noLoad, script: benchCase.script }) + grace_s;
  const late = sleep(longest_s * 1000, false, { signal: timer.signal }).catch(() => false);
  const wasStopped = await Promise.race([running.exited.then(() => false), stopped, late]);
  timer.abort();
  const ended = running.exit !== null;
  const exit = await endCommand(running, 'SIGINT', 1000);
  await read;
  const text = log.text();
  log.close();
  if (wasStopped) return;
  const failure = ended ? k6Failure(exit, text) : `k6 did not end within ${longest_s} s`;
  if (failure !== null) {
    // An exception of a script belongs to the side that answered it.
    const Failure = ended && exceptionIn(text) !== null ? RequestFailure : CaseFailure;
    throw new Failure(`before the load: ${refusalIn(text) ?? failure}`, { log });
  }
  rmSync(log.path, { force: true }); // it holds bodies
  const failures = failuresIn(text);
  if (failures.length === 0) return;
  const { reason, detail } = smokeText(JSON.parse(redact(JSON.stringify(failures), secrets)), benchCase);
  throw new RequestFailure(reason, { detail });
}

const noLoad = { k6: { gracefulStop: '0s' }, duration_s: 0 };

/** As k6/user/smoke.js prints it, after each try, within k6's own quotes. */
const line = /msg="benchfolio smoke: ((?:[^"\\]|\\.)*)"/g;

/**
 * What failed in the last try.
 * @param log k6's
 * @returns none: it was good, or no iteration came to its end
 */
function failuresIn(log: string): SmokeFailure[] {
  const last = [...log.matchAll(line)].at(-1)?.[1];
  return last === undefined ? [] : JSON.parse(JSON.parse(`"${last}"`));
}

/** As k6 prints what our driver refuses (k6/shared/refuse.js). */
const refusal = /level=error msg="benchfolio: ((?:[^"\\]|\\.)*)"/;

/**
 * Why our driver refused the case.
 * @param log k6's
 * @returns null: it did not
 */
function refusalIn(log: string): string | null {
  const [, quoted] = log.match(refusal) ?? [];
  return quoted === undefined ? null : JSON.parse(`"${quoted}"`).trim();
}
