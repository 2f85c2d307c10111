import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fingerprint } from '../../../reports/schema/types.d.ts';
import { fileError } from '../../base/io/files.js';
import { openTar } from '../../base/io/tar.js';
import { CaseFailure } from '../../base/process/failure.js';
import { redact } from '../../base/process/redact.js';
import { type CaseFile, type Iterations, k6Failure } from '../generator/k6.js';
import type { Said } from '../generator/results.js';
import type { Run } from '../run-context.js';
import { secretsOf } from '../services/secrets.js';
import type { Frame } from './results-frame.js';

/** What came of a pod. boot: which machine it was on, since when; machine: as a record has it. */
export type Result = {
  pod: string;
  boot: string;
  started_ms: number;
  k6_exit: number;
  iterations: Iterations;
  log: string;
  k6_version: string | null;
  machine: Fingerprint & { cores: number };
};

/** What of a pod's results is kept: the rest is known here. */
const kept = ['summary.json', 'histograms.ndjson', 'timeline.ndjson', 'services.ndjson', 'generator.json', 'k6.log'];

/**
 * Unpacks what a pod measured, and refuses what is not all of its part.
 * @throws {CaseFailure}
 */
export function unpackResults(
  { pod, frame }: { pod: string; frame: () => Frame },
  { folder, index, measured: { file: caseFile, benchCase } }: { folder: string; index: number; measured: CaseFile },
  { env, secrets }: Pick<Run, 'env' | 'secrets'>,
): Result {
  const { data, failure, problem } = frame();
  const bad = (why: string) => new CaseFailure(`pod ${pod}: ${why}`);
  if (failure !== null) throw bad(failure);
  if (data === null) throw bad(problem ?? 'it ended without results');
  const files = filesOf(data, join(folder, 'results.tar'), bad);
  const said = generatorOf(files.get('generator.json'), bad);
  const { part, k6_exit } = said;
  const { definition } = JSON.parse(readFileSync(caseFile, 'utf8'));
  if (part.index !== index + 1 || part.of !== benchCase.instances) {
    throw bad(`it has part ${part.index}/${part.of}, and was to have ${index + 1}/${benchCase.instances}`);
  }
  if (said.definition !== definition) throw bad('its results are of another case');
  const failed = k6Failure({ code: k6_exit, signal: null });
  if (failed !== null) throw bad(failed);
  if (!files.has('summary.json')) throw bad('k6 left no summary');
  const hidden = secretsOf(benchCase, env, secrets);
  const log = redact(files.get('k6.log')?.toString() ?? '', hidden);
  files.set('k6.log', Buffer.from(log));
  for (const name of kept) {
    const content = files.get(name);
    if (content !== undefined) write(join(folder, name), content);
  }
  return {
    pod,
    log,
    k6_exit,
    started_ms: said.started_ms,
    iterations: { complete: said.complete_iterations, interrupted: said.interrupted_iterations },
    k6_version: said.k6_version ?? null,
    boot: said.boot ?? pod,
    machine: said.machine ?? {},
  };
}

/**
 * @param data a tar archive
 * @param file where it is put to be read
 * @returns its files by name
 */
function filesOf(data: Buffer, file: string, bad: (why: string) => CaseFailure): Map<string, Buffer> {
  write(file, data);
  try {
    return new Map([...openTar(file)].map(([name, entry]) => [name, entry.content()]));
  } catch (cause) {
    throw bad(`its results cannot be read: ${(cause as Error).message}`);
  } finally {
    rmSync(file, { force: true });
  }
}

function generatorOf(content: Buffer | undefined, bad: (why: string) => CaseFailure): Said {
  try {
    const said = JSON.parse(String(content));
    if (said.part && Number.isFinite(said.started_ms)) return said;
  } catch {
    // as if it were not there
  }
  throw bad('it did not finish: there is no generator.json in its results');
}

function write(path: string, content: Buffer) {
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw fileError(cause, path);
  }
}
