import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from '../../base/io/files.js';
import { openTar } from '../../base/io/tar.js';
import { CaseFailure } from '../../base/process/failure.js';
import { redact } from '../../base/process/redact.js';
import { k6Failure } from '../generator/k6.js';
import { secretsOf } from '../services/secrets.js';

/** @import { Fingerprint } from '../../../reports/schema/types.d.ts' */
/** @import { CaseFile, Iterations } from '../generator/k6.js' */
/** @import { Said } from '../generator/results.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Frame } from './results-frame.js' */

/**
 * What came of a pod. boot: which machine it was on, since when; machine: as a record has it.
 * @typedef {{ pod: string, boot: string, started_ms: number, k6_exit: number, iterations: Iterations, log: string,
 *   k6_version: string | null, machine: Fingerprint & { cores: number } }} Result
 */

/** What of a pod's results is kept: the rest is known here. */
const kept = ['summary.json', 'histograms.ndjson', 'timeline.ndjson', 'services.ndjson', 'generator.json', 'k6.log'];

/**
 * Unpacks what a pod measured, and refuses what is not all of its part.
 * @param {{ pod: string, frame: () => Frame }} of
 * @param {{ folder: string, index: number, measured: CaseFile }} given
 * @param {Pick<Run, 'env' | 'secrets'>} run
 * @returns {Result}
 * @throws {CaseFailure}
 */
export function unpackResults(
  { pod, frame },
  { folder, index, measured: { file: caseFile, benchCase } },
  { env, secrets },
) {
  const { data, failure, problem } = frame();
  const bad = (/** @type {string} */ why) => new CaseFailure(`pod ${pod}: ${why}`);
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
 * @param {Buffer} data a tar archive
 * @param {string} file where it is put to be read
 * @param {(why: string) => CaseFailure} bad
 * @returns {Map<string, Buffer>} its files by name
 */
function filesOf(data, file, bad) {
  write(file, data);
  try {
    return new Map([...openTar(file)].map(([name, entry]) => [name, entry.content()]));
  } catch (cause) {
    throw bad(`its results cannot be read: ${/** @type {Error} */ (cause).message}`);
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {Buffer | undefined} content @param {(why: string) => CaseFailure} bad @returns {Said} */
function generatorOf(content, bad) {
  try {
    const said = JSON.parse(String(content));
    if (said.part && Number.isFinite(said.started_ms)) return said;
  } catch {
    // as if it were not there
  }
  throw bad('it did not finish: there is no generator.json in its results');
}

/** @param {string} path @param {Buffer} content */
function write(path, content) {
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw fileError(cause, path);
  }
}
