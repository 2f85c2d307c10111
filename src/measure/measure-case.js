import { CaseFailure, Interrupted } from '../process/failure.js';
import { openPrometheus } from '../services/prometheus/index.js';
import { secretsOf } from '../services/secrets.js';
import { generatorCores } from '../session/cores.js';
import { definitionHash } from '../session/definition.js';
import { writeFailure } from '../session/write-failure.js';
import { inParts, partsOf } from '../spec/index.js';
import { writeCase } from './case-file.js';
import { measureRound } from './measure-round.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('../run-context.js').Run} Run
 * @typedef {{ status: 'measured' | 'error' | 'interrupted', rounds: number, reason: string | null,
 *   more?: string[] }} CaseResult rounds: how many are complete; more: lines that help to find out why
 */

/**
 * Measures one case: its services ready, N rounds, its services stopped. A failure is written down and is not thrown:
 * the other cases go on.
 * @param {Case} benchCase
 * @param {{ folder: string, rounds: number, header: Record<string, unknown>,
 *   built: CaseFailure | null, keeper: ReturnType<typeof import('../services/service-pool.js').serviceKeeper> }} given
 *   folder: its own; header: what is the same for all cases of the run; built: why its services could not be built
 * @param {Run} run
 * @returns {Promise<CaseResult>}
 * @throws {import('../errors.js').UserError} the run cannot go on: the disk is full
 */
export async function measureCase(benchCase, { folder, rounds, header, built, keeper }, run) {
  // The native player's memory does not grow; null, it does not fit and cannot be cut, is refused by check.
  const parts = benchCase.player === 'native' ? 1 : (partsOf(benchCase, run.memory_bytes) ?? 1);
  const generator = generatorCores(benchCase.services);
  const definition = definitionHash(benchCase, run.root); // however it is cut: that is the machine's doing
  const measured = await writeCase(folder, inParts(benchCase, parts), {
    root: run.root,
    definition,
    header,
    generator,
  });
  let round = 0;
  /** @type {import('../services/prometheus/index.js').RunningPrometheus | null} */
  let prometheus = null;
  try {
    if (built) throw built;
    const services = await keeper.get(benchCase, folder);
    const cores = generator.pinned ? generator.cores.join(',') : null;
    prometheus = await openPrometheus(measured.benchCase, { folder, services, cores }, run);
    if (parts > 1) run.progress.note(`each round is cut into ${parts} k6 processes: one would not fit into memory`);
    for (; round < rounds; round += 1) {
      run.progress.beginRound(round + 1);
      await measureRound(measured, { round: round + 1, folder, cores, services, prometheus }, run);
      run.progress.endRound();
    }
    return { status: 'measured', rounds: round, reason: null };
  } catch (error) {
    if (error instanceof CaseFailure) {
      return { status: 'error', rounds: round, ...(await writeFailure(folder, error, secretsOf(benchCase, run.env))) };
    }
    if (!(error instanceof Interrupted)) throw error;
    return { status: 'interrupted', rounds: round, reason: `interrupted after ${round} of ${rounds} rounds` };
  } finally {
    await prometheus?.close();
    await keeper.release(benchCase);
  }
}
